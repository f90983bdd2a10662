package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"pwpipe/internal/text/suggest"
	"pwpipe/provider/internal/rawjson"
)

// defaultAddress is the address of a service if none is given.
const defaultAddress = "http://127.0.0.1:3337"

// formats are the formats for a list of tools.
var formats = []struct {
	name  string
	print func([]*Tool) string
}{
	{"table", plainTable},
	{"json", jsonList},
	{"markdown", markdownTable},
	{"ilo", iloDeclarations},
	{"ilo-http", func(tools []*Tool) string { return IloHTTP(tools, defaultAddress, "") }},
	{"openrpc", func(tools []*Tool) string { return indented(openRPC(tools)) }},
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
func Describe(tools []*Tool, format string) (string, error) {
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

// Usage is a tool and its parameters: "fill sel val", optional ones in
// brackets.
func (t *Tool) Usage() string {
	s := t.Name
	for _, p := range t.Params {
		if p.Optional {
			s += " [" + p.Name + "]"
		} else {
			s += " " + p.Name
		}
	}
	return s
}

// signature is a tool and its parameters inside a sentence: "wait (sel, state?)".
func (t *Tool) signature() string {
	if len(t.Params) == 0 {
		return t.Name
	}
	return t.Name + " (" + t.paramList() + ")"
}

// resultWord names the type of a tool's answer.
func (t *Tool) resultWord() string {
	switch {
	case t.Result == "_":
		return "null"
	case t.Result == "b":
		return "true or false"
	case t.Result == "n":
		return "number"
	case t.Out != nil:
		return "object"
	case t.any:
		return "any JSON"
	}
	return "text"
}

func plainTable(tools []*Tool) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	profile := ""
	for _, t := range tools {
		if t.Profile != profile {
			profile = t.Profile
			fmt.Fprintf(w, "%s:\n", profile)
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s%s\n", t.Usage(), t.resultWord(), seconds(t), deprecation(t), t.Doc)
	}
	_ = w.Flush()
	return b.String()
}

// deprecation is what stands before the doc of a deprecated alias in lists for people.
func deprecation(t *Tool) string {
	if !t.Alias.Deprecated {
		return ""
	}
	return "Deprecated: use " + t.Alias.Of + ". "
}

func seconds(t *Tool) string { return fmt.Sprintf("%g s", t.Timeout.Seconds()) }

func markdownTable(tools []*Tool) string {
	var b strings.Builder
	b.WriteString("| tool | does | answers | deadline |\n|---|---|---|---|\n")
	for _, t := range tools {
		doc := strings.ReplaceAll(t.Doc, "|", `\|`)
		if t.Alias.Of != "" {
			doc += " (as `" + t.Alias.Of + "`)"
		}
		fmt.Fprintf(&b, "| `%s` | %s%s | %s | %s |\n", t.Usage(), deprecation(t), doc, t.resultWord(), seconds(t))
	}
	return b.String()
}

func jsonList(tools []*Tool) string {
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
			Timeout: t.Timeout.Seconds(), Params: []string{}, Input: rawjson.Encode(t.In), Result: t.resultWord()}
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

// HelpParams is what the tool help takes.
type HelpParams struct {
	About string `json:"about,omitempty" doc:"a tool or a profile; left out: where the lists are"`
}

// RunHelp is the tool that says where the tools are listed, and what one of them takes.
func RunHelp(ctx context.Context, in HelpParams) (string, error) { return tableOf(ctx).help(in.About) }

func (t *Table) help(about string) (string, error) {
	profiles := t.Profiles()
	if about == "" {
		return fmt.Sprintf("%d tools, in the profiles %s. `pwpipe tools` lists them all, docs/tools.md says more; "+
			"help with the name of a tool or a profile describes that", len(t.Profile("all")), strings.Join(profiles, ", ")), nil
	}
	if tool := t.byName[about]; tool != nil {
		return tool.describe(), nil
	}
	list := t.Profile(about)
	if len(list) == 0 {
		names := append([]string{"all"}, profiles...)
		for _, tool := range t.Profile("all") {
			names = append(names, tool.Name)
		}
		return "", Errorf(KindArgs, "about: there is no tool and no profile %q", about).WithHint("%s", suggest.Hint(about, names))
	}
	var b strings.Builder
	for _, tool := range list {
		fmt.Fprintf(&b, "%s: %s\n", tool.Usage(), tool.Doc)
	}
	return b.String(), nil
}

// describe describes one tool: its use, what it does, and its parameters.
func (t *Tool) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s. Answers %s; %s unless timeout says otherwise\n", t.Usage(), t.Doc, t.resultWord(), seconds(t))
	if t.Alias.Of != "" {
		fmt.Fprintf(&b, "  %sIt does what %s does\n", deprecation(t), t.Alias.Of)
	}
	for _, p := range t.Params {
		optional := ""
		if p.Optional {
			optional = ", may be left out"
		}
		fmt.Fprintf(&b, "  %s (%s%s): %s\n", p.Name, typeName(p.typ), optional, p.Doc)
	}
	if t.More != "" {
		b.WriteString(t.More + "\n")
	}
	return b.String()
}
