package heap

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Size is a number of bytes for people.
func Size(bytes int64) string {
	switch n := max(bytes, -bytes); {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%d B", bytes)
}

// growth is a size with its sign.
func growth(bytes int64) string {
	if bytes > 0 {
		return "+" + Size(bytes)
	}
	return Size(bytes)
}

// Text is what a snapshot contains, a line each.
func (s *Snapshot) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d objects, %s\n", s.Objects, Size(s.Bytes))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "keeps\ttakes\tobjects\tclass\n")
	for _, k := range s.Classes {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", Size(k.Retained), Size(k.Own), k.Count, k.Name)
	}
	_ = w.Flush()
	more(&b, s.MoreClasses, "classes")
	fmt.Fprintf(&b, "%d detached nodes\n", s.Detached)
	if len(s.Trees) > 0 {
		fmt.Fprintf(w, "keeps\tnodes\tnode\theld by\n")
		for _, t := range s.Trees {
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", Size(t.Retained), t.Nodes, t.Name, t.Held)
		}
		_ = w.Flush()
		more(&b, s.MoreTrees, "detached trees")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Text is what two snapshots differ in, a line each.
func (c *Comparison) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%+d objects, %s, %+d detached nodes\n", c.Objects, growth(c.Bytes), c.Detached)
	if len(c.Classes) > 0 {
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "takes\tkeeps\tobjects\tclass\n")
		for _, g := range c.Classes {
			fmt.Fprintf(w, "%s\t%s\t%d to %d\t%s\n", growth(g.Own), growth(g.Retained), g.Before, g.After, g.Name)
		}
		_ = w.Flush()
		more(&b, c.MoreClasses, "classes")
	}
	return strings.TrimRight(b.String(), "\n")
}

func more(b *strings.Builder, n int, what string) {
	if n > 0 {
		fmt.Fprintf(b, "and %d other %s\n", n, what)
	}
}
