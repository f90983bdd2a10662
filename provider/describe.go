package provider

import (
	"context"
	"fmt"
	"strings"

	"pwpipe/internal/text/suggest"
)

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

// ResultWord names the type of a tool's answer.
func (t *Tool) ResultWord() string {
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

// Deprecation is what stands before the doc of a deprecated alias in lists for people.
func (t *Tool) Deprecation() string {
	if !t.Alias.Deprecated {
		return ""
	}
	return "Deprecated: use " + t.Alias.Of + ". "
}

// HelpParams is what the tool help takes.
type HelpParams struct {
	About string `json:"about,omitempty" doc:"a tool or a profile; left out: where the lists are"`
}

// RunHelp is the tool that says where the tools are listed, and what one of them takes.
func RunHelp(ctx context.Context, in HelpParams) (string, error) { return TableOf(ctx).help(in.About) }

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
	fmt.Fprintf(&b, "%s\n%s. Answers %s; %g s unless timeout says otherwise\n", t.Usage(), t.Doc, t.ResultWord(), t.Timeout.Seconds())
	if t.Alias.Of != "" {
		fmt.Fprintf(&b, "  %sIt does what %s does\n", t.Deprecation(), t.Alias.Of)
	}
	for _, p := range t.Params {
		optional := ""
		if p.Optional {
			optional = ", may be left out"
		}
		fmt.Fprintf(&b, "  %s (%s%s): %s\n", p.Name, p.TypeName(), optional, p.Doc)
	}
	if t.More != "" {
		b.WriteString(t.More + "\n")
	}
	return b.String()
}
