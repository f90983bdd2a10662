package devtools

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Text shows styles like the DevTools panel.
func (s *Styles) Text() string {
	var b strings.Builder
	b.WriteString(s.Element + "\n")
	writeRules(&b, s.Rules)
	from := ""
	for _, r := range s.Inherited {
		if r.From != from {
			from = r.From
			fmt.Fprintf(&b, "\ninherited from %s\n", from)
		}
		writeRules(&b, []Rule{r})
	}
	pseudo := ""
	for _, r := range s.Pseudo {
		if r.Pseudo != pseudo {
			pseudo = r.Pseudo
			fmt.Fprintf(&b, "\n%s\n", pseudo)
		}
		writeRules(&b, []Rule{r})
	}
	if len(s.Computed) > 0 {
		b.WriteString("\ncomputed\n")
		for _, name := range slices.Sorted(maps.Keys(s.Computed)) {
			fmt.Fprintf(&b, "  %s: %s\n", name, s.Computed[name])
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func writeRules(b *strings.Builder, list []Rule) {
	for _, r := range list {
		b.WriteString("\n")
		for _, u := range r.Under {
			b.WriteString(u + "\n")
		}
		fmt.Fprintf(b, "%s  (%s)\n", r.Selector, r.Origin)
		for _, d := range r.Declarations {
			b.WriteString("  " + d.String() + "\n")
		}
	}
}

// String is the declaration as CSS, with a mark if it has no effect.
func (d Declaration) String() string {
	s := d.Name + ": " + d.Value
	if d.Important {
		s += " !important"
	}
	switch s += ";"; {
	case d.Invalid:
		s += "  /* invalid */"
	case d.Overridden:
		s += "  /* overridden */"
	}
	return s
}
