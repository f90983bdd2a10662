package toollist

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// iloDeclarations prints tools as ilo declares them, with the required
// parameters only: ilo counts every one towards a tool's arity.
//
//	tool fill"Fill an input field" sel:t val:t>R _ t timeout:10
//
// A tool whose name ilo can't spell becomes a comment: one bad declaration would make
// ilo refuse the whole file.
func iloDeclarations(tools []*provider.Tool) string {
	var b strings.Builder
	for _, t := range tools {
		if !iloCanName(t) {
			fmt.Fprintf(&b, "-- %s is no name in ilo\n", t.Name)
			continue
		}
		fmt.Fprintf(&b, "tool %s\"%s\"", t.Name, iloText.Replace(t.Doc))
		for _, p := range t.Params {
			if !p.Optional {
				fmt.Fprintf(&b, " %s:%s", iloParam(p.Name), iloType(p))
			}
		}
		if len(t.In.Required) == 0 {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, ">R %s t timeout:%g\n", t.Result, t.Timeout.Seconds())
	}
	return b.String()
}

// iloText escapes characters that a description can't contain. Braces are fine: ilo
// fills them in texts that a program uses, not in declarations.
var iloText = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

var (
	iloName   = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	iloHump   = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	iloNoName = regexp.MustCompile(`[^a-z0-9]+`)
)

// iloReserved are ilo's reserved words.
var iloReserved = []string{"const", "def", "false", "fn", "if", "let", "nil", "retry", "return",
	"timeout", "tool", "true", "type", "use", "var", "with"}

// iloCanName reports whether ilo can spell the tool's name.
func iloCanName(t *provider.Tool) bool {
	return iloName.MatchString(t.Name) && !slices.Contains(iloReserved, t.Name)
}

// iloParam spells a parameter's name in ilo: fullPage is full-page. Calls are
// positional, so the name is only a label.
func iloParam(name string) string {
	s := strings.ToLower(iloHump.ReplaceAllString(name, "$1-$2"))
	s = strings.Trim(iloNoName.ReplaceAllString(s, "-"), "-")
	if slices.Contains(iloReserved, s) {
		s += "2"
	}
	return s
}

// iloType is ilo's letter for a parameter.
func iloType(p provider.Param) string {
	switch p.TypeName() {
	case "true or false":
		return "b"
	case "a number":
		return "n"
	}
	return "t"
}

// IloHTTP is the tools.json of ilo's HTTP provider for the service at base, with the
// API key ("" for none). It leaves out tools with names that ilo refuses.
func IloHTTP(tools []*provider.Tool, base, key string) string {
	type entry struct {
		URL     string            `json:"url"`
		Method  string            `json:"method"`
		Timeout float64           `json:"timeout_secs"`
		Headers map[string]string `json:"headers,omitempty"`
	}
	var lines []string
	for _, t := range tools {
		if !iloCanName(t) {
			continue
		}
		// ilo's timeout is longer than the tool's, so that the tool's more precise
		// error comes first.
		e := entry{URL: strings.TrimSuffix(base, "/") + "/tools/" + t.Name, Method: "POST",
			Timeout: math.Ceil(t.Timeout.Seconds()) + 5}
		if key != "" {
			e.Headers = map[string]string{"x-api-key": key}
		}
		lines = append(lines, fmt.Sprintf("    %s: %s", rawjson.Encode(t.Name), rawjson.Encode(e)))
	}
	return "{\n  \"tools\": {\n" + strings.Join(lines, ",\n") + "\n  }\n}\n"
}
