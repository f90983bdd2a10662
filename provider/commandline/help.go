package commandline

import (
	"fmt"
	"reflect"
	"strings"
	"text/tabwriter"

	"pwpipe/provider"
)

// Usage is how a tool's command is written.
func Usage(tool *provider.Tool) string {
	words := []string{"pwpipe", tool.Name}
	for _, p := range tool.Params {
		name := strings.ToUpper(p.Name)
		switch {
		case !p.Optional:
			words = append(words, name)
		case p.Type().Kind() == reflect.Bool:
			words = append(words, "[--"+p.Name+"]")
		default:
			words = append(words, "[--"+p.Name+" "+name+"]")
		}
	}
	return strings.Join(words, " ")
}

// Help describes a tool's command.
func Help(tool *provider.Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n\n", tool.Doc, Usage(tool))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if len(tool.Params) > 0 {
		fmt.Fprintln(w, "Parameters, by position or by name:")
	}
	for _, p := range tool.Params {
		doc := p.Doc
		if p.Enum != nil {
			doc += " (" + strings.Join(p.Enum, ", ") + ")"
		}
		if p.Default != "" {
			doc += "; default: " + p.Default
		}
		fmt.Fprintf(w, "  --%s\t%s\t%s\n", p.Name, typeName(p), doc)
	}
	fmt.Fprintln(w, "\nOf every command:")
	for _, o := range [][3]string{
		{"--page", "text", "handle of a page, such as p2; default: the active page"},
		{"--timeout", "number", fmt.Sprintf("seconds; default: %g", tool.Timeout.Seconds())},
		{"--max", "number", "longest text to print, in characters"},
		{"--outline", "text", "what an act prints of the page's outline: diff, whole or none (default)"},
		{"-s, --session", "text", "name of the session; default: PWPIPE_SESSION, or the caller's own"},
		{"--json", "", "print the result as JSON; the same as --output json"},
		{"-q, --quiet", "", "print results, warnings and errors only"},
	} {
		if !tool.Has(strings.TrimPrefix(o[0], "--")) {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", o[0], o[1], o[2])
		}
	}
	_ = w.Flush()
	b.WriteString("\nA word - stands for what stdin holds, @FILE for what a file holds, @@text for the text @text.\n")
	return b.String()
}

// typeName says what a parameter takes, on a command line.
func typeName(p provider.Param) string {
	switch kind := p.Type().Kind(); {
	case p.File:
		return "file"
	case p.Type() == rawType || kind == reflect.Interface:
		return "text or JSON"
	case kind == reflect.String:
		return "text"
	case kind == reflect.Bool:
		return ""
	case kind == reflect.Slice:
		return "JSON, or repeated"
	case kind == reflect.Map || kind == reflect.Struct:
		return "JSON"
	}
	return "number"
}
