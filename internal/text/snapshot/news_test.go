package snapshot

import (
	"fmt"
	"testing"
)

// parsed is the tree of lines as the ref engine writes them, without the first.
func parsed(t *testing.T, text string) *Node {
	t.Helper()
	root, _, err := Parse("9\n"+text, "")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestClocks: a line whose numbers changed without an act is no news any more, one that acts count is.
func TestClocks(t *testing.T) {
	at := func(seconds, items int) *Node {
		return parsed(t, fmt.Sprintf("0\tbutton\te5\t\t\t\tKeep\n0\tparagraph\te6\t\t\t\t\n1\t\t%d s\n"+
			"0\tparagraph\te7\t\t\t\t\n1\t\tCart (%d)\n", seconds, items))
	}
	var clocks Clocks
	got, _ := at(11, 1).News(at(10, 0), Options{}, 100, &clocks)
	if got != "  button \"Keep\" [ref=e5]\n+ \"11 s\"\n+ \"Cart (1)\"\n- \"10 s\"\n- \"Cart (0)\"" || !clocks.Doubtful() {
		t.Errorf("first %q", got)
	}
	clocks.Tick(at(11, 1), at(12, 1), Options{})
	if got, _ := at(13, 2).News(at(11, 1), Options{}, 100, &clocks); got != "  \"13 s\"\n+ \"Cart (2)\"\n- \"Cart (1)\"" {
		t.Errorf("then %q", got)
	}
	clocks.Tick(at(13, 2), at(13, 2), Options{})
	if got, _ := at(14, 3).News(at(13, 2), Options{}, 100, &clocks); got != "  \"14 s\"\n+ \"Cart (3)\"\n- \"Cart (2)\"" {
		t.Errorf("at last %q", got)
	}
}
