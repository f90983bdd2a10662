package snapshot

import (
	"fmt"
	"strings"
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

// TestNewsBeginsWithWhatOpened: what stands in front of the page comes first and whole, few lines are not left
// out, gone lines of a view that was replaced are counted, and landmarks that were drawn anew are one line.
func TestNewsBeginsWithWhatOpened(t *testing.T) {
	many := func(role, word string, from, n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("0\t%s\te%d\t\t\t\t%s %d\n", role, from+i, word, i)
		}
		return text
	}
	nav := func(from int) string {
		text := "0\tbanner\te1\t\t\t\t\n1\tnavigation\te2\t\t\t\t\n"
		for i := range 9 {
			text += fmt.Sprintf("2\tlink\te%d\t\t\t\tSomewhere %d\n", from+i, i)
		}
		return text
	}
	dialog := "0\tdialog\te900\t\t\t\tAsk\n1\tbutton\te901\t\t\t\tYes\n"
	first := `+ dialog "Ask": button "Yes" [ref=e901]` + "\n"
	keep := "0\tbutton\te5\t\t\t\tKeep\n"
	page, shift := keep+many("button", "B", 10, 8), keep+many("button", "C", 20, 8)
	toast := "0\tgeneric\te900\ty\t\t\t\n1\t\tSaved\n"
	for name, c := range map[string]struct{ before, after, begins, ends string }{
		"a dialog behind all": {keep, keep + many("button", "B", 10, 200) + dialog, first + `+ button "B 0" [ref=e10]`,
			"snapshot shows the page)"},
		"a dialog for a page":  {keep + many("button", "B", 10, 40), keep + dialog, first, "(40 lines are gone)"},
		"a message that moves": {keep, keep + many("button", "B", 10, 3) + toast, `+ "Saved"`, `"B 2" [ref=e12]`},
		"few more":             {keep, keep + many("button", "B", 10, 18), `+ button "B 0" [ref=e10]`, `+ button "B 17" [ref=e27]`},
		"many gone":            {page, keep, "- button", `- button "B 7" [ref=e17]`},
		"another view": {nav(50) + page, nav(50) + shift, `+ button "C 0" [ref=e20]`,
			"  banner: as before [refs: e50-e58]\n(8 lines are gone)"},
		"drawn anew": {keep + nav(50), keep + nav(70), "+ banner: as before [refs: e70-e78]", "e78]"},
	} {
		room := 100
		if name == "few more" {
			room = 150
		}
		got, _ := parsed(t, c.after).News(parsed(t, c.before), Options{}, room, nil)
		if !strings.HasPrefix(got, c.begins) || !strings.HasSuffix(got, c.ends) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
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
