// Package toollist lists tools for people and programs: as tables, as JSON, as an OpenRPC document, and
// as declarations of ilo.
package toollist

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"pwpipe/internal/text/suggest"
	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// defaultAddress is the address of a service if none is given.
const defaultAddress = "http://127.0.0.1:3337"

// formats are the formats for a list of tools.
var formats = []struct {
	name  string
	print func([]*provider.Tool) string
}{
	{"table", plainTable},
	{"json", jsonList},
	{"markdown", markdownTable},
	{"ilo", iloDeclarations},
	{"ilo-http", func(tools []*provider.Tool) string { return IloHTTP(tools, defaultAddress, "") }},
	{"openrpc", func(tools []*provider.Tool) string { return indented(OpenRPC(tools)) }},
}

// Formats names the formats of [Describe].
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Describe prints a list of tools in a format.
func Describe(tools []*provider.Tool, format string) (string, error) {
	for _, f := range formats {
		if f.name == format {
			return f.print(tools), nil
		}
	}
	err := fmt.Errorf("no format %q; there are %s", format, strings.Join(Formats(), ", "))
	if meant := suggest.Hint(format, Formats()); meant != "" {
		err = fmt.Errorf("%w; %s", err, meant)
	}
	return "", err
}

func plainTable(tools []*provider.Tool) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	profile := ""
	for _, t := range tools {
		if t.Profile != profile {
			profile = t.Profile
			fmt.Fprintf(w, "%s:\n", profile)
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s%s\n", t.Usage(), t.ResultWord(), seconds(t), t.Deprecation(), t.Doc)
	}
	_ = w.Flush()
	return b.String()
}

func seconds(t *provider.Tool) string { return fmt.Sprintf("%g s", t.Timeout.Seconds()) }

func markdownTable(tools []*provider.Tool) string {
	var b strings.Builder
	b.WriteString("| tool | does | answers | deadline |\n|---|---|---|---|\n")
	for _, t := range tools {
		doc := strings.ReplaceAll(t.Doc, "|", `\|`)
		if t.Alias.Of != "" {
			doc += " (as `" + t.Alias.Of + "`)"
		}
		fmt.Fprintf(&b, "| `%s` | %s%s | %s | %s |\n", t.Usage(), t.Deprecation(), doc, t.ResultWord(), seconds(t))
	}
	return b.String()
}

func jsonList(tools []*provider.Tool) string {
	type entry struct {
		Name        string          `json:"name"`
		Title       string          `json:"title"`
		Description string          `json:"description"`
		Profile     string          `json:"profile"`
		Timeout     float64         `json:"timeout"`
		Params      []string        `json:"params"`
		Input       json.RawMessage `json:"inputSchema"`
		Output      json.RawMessage `json:"outputSchema,omitempty"`
		Result      string          `json:"result"`
	}
	list := []entry{}
	for _, t := range tools {
		e := entry{Name: t.Name, Title: t.Title, Description: t.Doc, Profile: t.Profile,
			Timeout: t.Timeout.Seconds(), Params: []string{}, Input: rawjson.Encode(t.In), Result: t.ResultWord()}
		for _, p := range t.Params {
			e.Params = append(e.Params, p.Name)
		}
		if t.Out != nil {
			e.Output = rawjson.Encode(t.Out)
		}
		list = append(list, e)
	}
	return indented(rawjson.Encode(list))
}

// indented is a JSON text for people.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	_ = json.Indent(&b, raw, "", "  ")
	return b.String() + "\n"
}
