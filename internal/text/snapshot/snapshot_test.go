package snapshot

import (
	"fmt"
	"regexp"
	"slices"
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

func TestFolding(t *testing.T) {
	n := page(t, list(30, func(i int) []string {
		state := ""
		if i == 7 {
			state = "/d"
		}
		return []string{fmt.Sprintf("heading/3 Lamp %d", i), fmt.Sprintf("- €%d", i), "button" + state + " Add"}
	})...)
	if got := outline(n, Options{}); strings.Count(got, "[ref=") != 30 {
		t.Errorf("a list that fits is folded:\n%s", got)
	}
	got := outline(n, Options{Budget: 100})
	if strings.Count(got, "listitem:") != 2 || !strings.Contains(got, "listitem (and 28 more like it) [refs: ") {
		t.Errorf("one item, the one whose button is disabled, and a fold:\n%s", got)
	}
	if !strings.Contains(got, `button "Add" [disabled]`) {
		t.Errorf("the odd one is hidden:\n%s", got)
	}
	if whole := outline(n, Options{Whole: true}); strings.Count(whole, "listitem:") != 30 {
		t.Errorf("whole is folded:\n%s", whole)
	}
	fields := []string{}
	for i := range 20 {
		fields = append(fields, fmt.Sprintf("textbox Field %d", i))
	}
	if got := outline(page(t, fields...), Options{}); strings.Count(got, "\n") != 19 {
		t.Errorf("the fields of a form are folded:\n%s", got)
	}
}

// Fields stay visible, even in equal wrappers. Prices are part of the summary of a folded
// item.
func TestWhatFoldingKeeps(t *testing.T) {
	form := []string{"form"}
	for i := range 6 {
		form = append(form, " item", fmt.Sprintf("  textbox/i Field %d", i), fmt.Sprintf("  - Enter field %d", i))
	}
	got := outline(page(t, form...), Options{})
	for i := range 6 {
		for _, want := range []string{fmt.Sprintf(`"Field %d" [invalid]`, i), fmt.Sprintf(`"Enter field %d"`, i)} {
			if !strings.Contains(got, want) {
				t.Errorf("%s is missing:\n%s", want, got)
			}
		}
	}
	shop := list(20, func(i int) []string {
		return []string{"img vegan", fmt.Sprintf("link Lamp %d", i), fmt.Sprintf("- €%d.50", i), "button Add"}
	})
	if got := outline(page(t, shop...), Options{Budget: 100}); !strings.Contains(got, "Lamp 1 €1.50 | Lamp 2 €2.50") {
		t.Errorf("no prices:\n%s", got)
	}
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

func TestDiff(t *testing.T) {
	before := page(t, "main", " button Save", " - old").Outline(Options{})
	after := page(t, "main", " button Save", " - new").Outline(Options{})
	if got, want := Diff(before, after), "  main:\n   button \"Save\" [ref=e2]\n+  \"new\"\n- \"old\""; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Diff(before, before); got != "" {
		t.Errorf("no change is %q", got)
	}
	// Only the line before a short text says what it counts.
	dish := []Line{{Text: "main:"}, {Depth: 1, Text: "clickable [ref=e1]: +"}, {Depth: 1, Text: "clickable [ref=e2]: +"}}
	if got, want := Diff(dish, slices.Insert(slices.Clone(dish), 2, Line{Depth: 1, Text: `"1"`})),
		"  main:\n   clickable [ref=e1]: +\n+  \"1\""; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// The line that says what hides the rest is no second place of it.
	open := []Line{{Text: "dialog [ref=e2] is open above the rest"},
		{Text: `button "Save" [ref=e1]`}, {Text: "dialog [ref=e2]:"}}
	if got := Diff(open, open); got != "" {
		t.Errorf("no change below a dialog is %q", got)
	}
	if got, want := Diff(open[1:], open), "+ dialog [ref=e2] is open above the rest"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	three := []Line{{Text: `item "a" [ref=e1]`}, {Text: `item "b" [ref=e2]:`}, {Depth: 1, Text: `button "x" [ref=e3]`},
		{Text: `item "c" [ref=e4]`}}
	for _, c := range []struct {
		order []int
		want  string
	}{
		{[]int{3, 0, 1, 2}, `> item "c" [ref=e4] (now first)`},
		{[]int{1, 2, 0, 3}, `> item "a" [ref=e1] (now behind e3)`},
		{[]int{0, 3, 1, 2}, `> item "c" [ref=e4] (now behind e1)`},
	} {
		var after []Line
		for _, i := range c.order {
			after = append(after, three[i])
		}
		if got := Diff(three, after); got != c.want {
			t.Errorf("%v: got %q, want %q", c.order, got, c.want)
		}
	}
	var sorted []Line
	for i := range 40 {
		sorted = append(sorted, Line{Text: fmt.Sprintf(`row "%d" [ref=e%d]`, i, i)})
	}
	turned := slices.Clone(sorted)
	slices.Reverse(turned)
	want := `> row "39" [ref=e39] and 38 more have another place: snapshot shows the order`
	if got := Diff(sorted, turned); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	top, middle := "scrollable (scrolls, 631 px below):", "scrollable (scrolls, 233 px below, 398 px above):"
	if got := Diff([]Line{{Text: top}}, []Line{{Text: middle}}); got != "" {
		t.Errorf("scrolling is a change: %q", got)
	}
}

// Contents of an act's answer: a changed line by its ref, nothing for the focus, the outline
// of another document, within a bound.
func TestNews(t *testing.T) {
	tree := func(text string) *Node {
		root, _, err := Parse("9\n"+text, "")
		if err != nil {
			t.Fatal(err)
		}
		return root
	}
	form := "0\tform\te1\t\t\t\tSign in\n1\ttextbox\te2\t\t\t\tName\n"
	before := tree(form + "1\tbutton\te3\ta\t\t\tSave")
	for name, c := range map[string]struct {
		after, want string
		another     bool
	}{
		"the focus":        {form + "1\tbutton\te3\t\t\t\tSave", "", false},
		"a state":          {form + "1\tbutton\te3\td\t\t\tSave", `~ button "Save" [disabled] [ref=e3]`, false},
		"a new line":       {form + "1\tbutton\te3\t\t\t\tSave\n1\tbutton\te4\t\t\t\tBack", "  form \"Sign in\":\n+  button \"Back\" [ref=e4]", false},
		"one for another":  {form + "1\tbutton\te4\t\t\t\tSaved", "  form \"Sign in\":\n+  button \"Saved\" [ref=e4]\n- button \"Save\" [active] [ref=e3]", false},
		"another document": {"0\tbutton\te7\t\t\t\tSave", "", true},
	} {
		if got, another := tree(c.after).News(before, Options{}, 500, nil); got != c.want || another != c.another {
			t.Errorf("%s: %q, %v", name, got, another)
		}
	}
	many := form
	for i := range 200 {
		many += fmt.Sprintf("1\tbutton\te%d\t\t\t\tNumber %d\n", 10+i, i)
	}
	if got, _ := tree(many).News(before, Options{}, 100, nil); !strings.Contains(got, "more changed lines: snapshot") || len(got) > 1000 {
		t.Errorf("much that is new: %q", got)
	}
}

func TestSearchShowsEachLineOnce(t *testing.T) {
	lines := page(t, "button A", "button B", "button C").Outline(Options{Whole: true})
	got := Search(lines, regexp.MustCompile("A|B"), 10, 1)
	if got.Found != 2 || strings.Count(got.Text, "button") != 3 {
		t.Errorf("%+v", got)
	}
}

func TestParseRefusesWhatIsNoSnapshot(t *testing.T) {
	for _, s := range []string{"", "x", "1\nx", "1\n5\tbutton\te1\t\t\tA", "1\n0\tbutton"} {
		if _, _, err := Parse(s, ""); err == nil && s != "1\n0\tbutton" {
			t.Errorf("%q was taken", s)
		}
	}
}
