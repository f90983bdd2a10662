package snapshot

import (
	"fmt"
	"strings"
	"testing"
)

// pageOf is a tree with some items in a list.
func pageOf(items ...*Node) *Node {
	return &Node{Role: "document", Kids: []*Node{{Role: "list", Ref: "e1", Kids: items}}}
}

func control(role, name string, n int) *Node {
	return &Node{Role: role, Name: name, Ref: fmt.Sprintf("e%d", n)}
}

// What alike items share is written once, and each keeps its own words, states and refs.
func TestSharedWordsAreWrittenOnce(t *testing.T) {
	for name, c := range map[string]struct {
		item  func(i int) []*Node
		n     int
		has   []string
		saves int // percent of the outline that names each item whole, 0 for none
	}{
		"products": {func(i int) []*Node {
			return []*Node{control("link", fmt.Sprintf("Lamp %c%c", 'A'+i%26, 'A'+i/26), 100+i), {Name: fmt.Sprintf("€%d.50", i)}, control("button", "Add to cart", 200+i)}
		}, 48, []string{`listitem, each: link "Lamp …" | "…" | button "Add to cart":`, "  - AA [ref=e100] | €0.50 | [ref=e200]", "  - VB [ref=e147] | €47.50 | [ref=e247]"}, 40},
		"names in names": {func(i int) []*Node {
			return []*Node{control("link", fmt.Sprintf("Map %d of the coast", i), 100+i), control("button", fmt.Sprintf("Add Map %d of the coast to cart", i), 200+i)}
		}, 20, []string{`link "Map … of the coast" | button "Add Map … of the coast to cart":`, "  - 7 [ref=e107] | [ref=e207]"}, 50},
		"states": {func(i int) []*Node {
			b := control("button", "Buy", 200+i)
			if i == 3 {
				b.Flags = "d"
			}
			return []*Node{{Name: fmt.Sprintf("Key fob %d, forged by hand in the harbour", i)}, b, control("button", "Compare it with others", 300+i)}
		}, 16, []string{"  - 3, | [disabled] [ref=e203] | [ref=e303]"}, 30},
		"refs beside each other": {func(i int) []*Node {
			return []*Node{{Name: fmt.Sprintf("Mail %d", i)}, control("link", "Open the conversation", 100+3*i), control("button", "Archive it", 101+3*i),
				control("button", "Delete it", 102+3*i)}
		}, 20, []string{`"Mail …" | link "Open the conversation" | button "Archive it" | button "Delete it":`, "  - 5 | [refs: e115-e117]"}, 60},
		"few": {func(i int) []*Node {
			return []*Node{control("link", fmt.Sprintf("Lamp %d", i), 100+i), control("button", "Add to cart", 200+i)}
		}, 12, []string{`link "Lamp 3" [ref=e103]`, `button "Add to cart" [ref=e211]`}, 0},
		"fields": {func(i int) []*Node {
			return []*Node{control("checkbox", fmt.Sprintf("Lamp %d", i), 100+i), control("button", "Edit", 200+i)}
		}, 20, []string{`checkbox "Lamp 3" [ref=e103]`, `button "Edit" [ref=e219]`}, 0},
	} {
		var items []*Node
		for i := range c.n {
			items = append(items, &Node{Role: "listitem", Ref: fmt.Sprintf("e%d", 10+i), Kids: c.item(i)})
		}
		page := pageOf(items...)
		whole, brief := Text(page.At(Options{}, 0)), Text(page.Outline(Options{}))
		for _, want := range c.has {
			if !strings.Contains(brief, want) {
				t.Errorf("%s: no %q in\n%s", name, want, brief)
			}
		}
		if saved := 100 - 100*len(brief)/len(whole); saved < c.saves || c.saves == 0 && brief != whole {
			t.Errorf("%s: saves %d %%, wanted %d %%", name, saved, c.saves)
		}
	}
}

// Whole words are shared, and no letter is lost where texts begin and end alike.
func TestSharedWords(t *testing.T) {
	for _, c := range []struct {
		texts          []string
		before, behind string
	}{
		{[]string{"Add A to cart", "Add B to cart"}, "Add ", " to cart"},
		{[]string{"Lamp 10", "Lamp 11"}, "Lamp ", ""},
		{[]string{"€10.50", "€11.50"}, "", ""},
		{[]string{"a a", "a a a"}, "a a", ""},
		{[]string{"Lamp", "Lampoon"}, "", ""},
		{[]string{"Old Lamp", "Cold Lamp"}, "", " Lamp"},
		{[]string{"same words", "same words"}, "same words", ""},
		{[]string{"", "x"}, "", ""},
		{[]string{"one", "one two"}, "one", ""},
	} {
		if before, behind := shared(c.texts); before != c.before || behind != c.behind {
			t.Errorf("%q: %q and %q, wanted %q and %q", c.texts, before, behind, c.before, c.behind)
		}
	}
}
