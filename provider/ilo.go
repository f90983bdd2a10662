package provider

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// iloDeclarations prints tools as ilo declares them, with the required
// parameters only: ilo counts every one towards a tool's arity.
//
//	tool fill"Fill an input field" sel:t val:t>R _ t timeout:10
func iloDeclarations(tools []*Tool) string {
	var b strings.Builder
	for _, t := range tools {
		fmt.Fprintf(&b, "tool %s\"%s\"", t.Name, strings.ReplaceAll(t.Doc, `"`, `'`))
		for _, p := range t.Params {
			if !p.Optional {
				fmt.Fprintf(&b, " %s:%s", p.Name, iloType(p))
			}
		}
		if len(t.In.Required) == 0 {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, ">R %s t timeout:%g\n", t.Result, t.Timeout.Seconds())
	}
	return b.String()
}

// iloType is ilo's letter for a parameter.
func iloType(p Param) string {
	switch typeName(p.typ) {
	case "true or false":
		return "b"
	case "a number":
		return "n"
	}
	return "t"
}

// iloHTTP is the tools.json of ilo's HTTP provider for a service where it is
// by default.
func iloHTTP(tools []*Tool) string { return IloHTTP(tools, "http://127.0.0.1:3337", "") }

// iloName is what ilo takes as the name of a tool.
var iloName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// IloHTTP is the tools.json of ilo's HTTP provider for the service at base,
// with the API key ("" for none). Tools with names that ilo does not take are
// left out.
func IloHTTP(tools []*Tool, base, key string) string {
	type entry struct {
		URL     string            `json:"url"`
		Method  string            `json:"method"`
		Timeout float64           `json:"timeout_secs"`
		Headers map[string]string `json:"headers,omitempty"`
	}
	var lines []string
	for _, t := range tools {
		if !iloName.MatchString(t.Name) {
			continue
		}
		// ilo's own patience is longer than the tool's, so that the tool's
		// error, which says more, comes first.
		e := entry{URL: strings.TrimSuffix(base, "/") + "/tools/" + t.Name, Method: "POST", Timeout: math.Ceil(t.Timeout.Seconds()) + 5}
		if key != "" {
			e.Headers = map[string]string{"x-api-key": key}
		}
		lines = append(lines, fmt.Sprintf("    %s: %s", encode(t.Name), encode(e)))
	}
	return "{\n  \"tools\": {\n" + strings.Join(lines, ",\n") + "\n  }\n}\n"
}
