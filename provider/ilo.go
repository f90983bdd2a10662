package provider

import (
	"fmt"
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
