package snapshot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNothingThatTellsControlsApartIsLost compares outlines of generated trees
// with the trees. A control is identified by its role and states, its name, the
// texts in it, the names of its ancestors, and the texts beside it.
func TestNothingThatTellsControlsApartIsLost(t *testing.T) {
	trees := 50
	if pipetest.Thorough() {
		trees = 400
	}
	for seed := range trees {
		g := generator{rand: rand.New(rand.NewPCG(uint64(seed), 1)), given: map[*Node]bool{}}
		root := g.tree()
		if err := checkTree(root, g.given); err != nil {
			t.Fatalf("seed %d: %v\n\ntree:\n%s\n\noutline:\n%s\n\nsearched:\n%s\n\ncontrols:\n%s", seed, err, Text(root.Lines(0)),
				outline(root, Options{}), outline(root, Options{Whole: true}), outline(root, Options{Controls: true}))
		}
	}
}

// generator makes trees like those of pages: some nodes are named by their
// content, some otherwise.
type generator struct {
	rand  *rand.Rand
	refs  int
	given map[*Node]bool // nodes whose name is not made of content
}

func (g *generator) tree() *Node {
	n := &Node{Role: "document"}
	for range 1 + g.rand.IntN(5) {
		n.Kids = append(n.Kids, g.node(3))
	}
	return g.tidy(n)
}

var vocabulary = strings.Fields("Milk Eggs Bread Rye oil 1 2 10 €5 ▲ ▼ × Save Delete Open More a b 日本 Été")

func (g *generator) words(most int) string {
	var list []string
	for range g.rand.IntN(most + 1) {
		list = append(list, vocabulary[g.rand.IntN(len(vocabulary))])
	}
	return strings.Join(list, " ")
}

func (g *generator) pick(list ...string) string { return list[g.rand.IntN(len(list))] }

func (g *generator) node(depth int) *Node {
	if depth <= 0 || g.rand.IntN(4) == 0 {
		return g.leaf()
	}
	switch g.rand.IntN(6) {
	case 0:
		return g.list(depth)
	case 1:
		return g.table(depth)
	}
	n := g.made(g.pick("generic", "group", "region", "navigation", "article", "figure", "listitem", "item", "heading", "link", "button",
		"treeitem", "tab", "blockquote", "strong", "clickable", "paragraph", "img", "gridcell", "row", "form", "list"))
	g.fill(n, depth, 3)
	return n
}

func (g *generator) list(depth int) *Node {
	n, role := g.made("list"), g.pick("listitem", "item", "clickable")
	for range 1 + g.rand.IntN(7) {
		item := g.made(role)
		g.fill(item, depth, 2)
		n.Kids = append(n.Kids, item)
	}
	return n
}

func (g *generator) table(depth int) *Node {
	n := g.made("table")
	for range 1 + g.rand.IntN(7) {
		row := g.made("row")
		for range 1 + g.rand.IntN(3) {
			cell := g.made(g.pick("cell", "gridcell", "rowheader"))
			g.fill(cell, depth-1, 2)
			row.Kids = append(row.Kids, cell)
		}
		n.Kids = append(n.Kids, row)
	}
	return n
}

func (g *generator) fill(n *Node, depth, most int) {
	for range g.rand.IntN(most + 1) {
		n.Kids = append(n.Kids, g.node(depth-1))
	}
}

func (g *generator) leaf() *Node {
	switch g.rand.IntN(4) {
	case 0, 1:
		return &Node{Name: g.words(2)}
	case 2:
		n := g.made(g.pick("checkbox", "radio", "textbox", "button", "link", "img", "switch", "clickable"))
		if text := g.words(1); g.rand.IntN(2) == 0 && n.Role != "checkbox" && n.Role != "radio" && n.Role != "img" {
			n.Kids = []*Node{{Name: text}}
		}
		return n
	}
	n := g.made("combobox")
	for range g.rand.IntN(4) {
		n.Kids = append(n.Kids, g.made("option"))
	}
	return n
}

// fromContent are the roles that are named by their content, unless they have
// another name.
var fromContent = map[string]bool{"button": true, "link": true, "cell": true, "gridcell": true, "rowheader": true, "row": true, "heading": true,
	"treeitem": true, "tab": true, "option": true}

// nameless are the roles that can't have a name.
var nameless = map[string]bool{"generic": true, "strong": true, "paragraph": true, "item": true}

func (g *generator) made(role string) *Node {
	g.refs++
	n := &Node{Role: role, Ref: "e" + strconv.Itoa(g.refs)}
	if !nameless[role] && g.rand.IntN(3) == 0 {
		n.Name = g.words(2)
		g.given[n] = n.Name != ""
	}
	switch {
	case role == "heading":
		n.Level = 2
	case role == "checkbox" && g.rand.IntN(3) == 0:
		n.Flags = "c"
	case role == "gridcell" && g.rand.IntN(5) == 0:
		n.Flags = "s"
	}
	return n
}

// tidy does as the engine does: it joins adjacent texts, names nodes by their
// content, and removes a text that only repeats its node's name.
func (g *generator) tidy(n *Node) *Node {
	var kids []*Node
	for _, k := range n.Kids {
		g.tidy(k)
		last := len(kids) - 1
		switch {
		case k.Role == "" && k.Name == "":
		case k.Role == "" && last >= 0 && kids[last].Role == "":
			kids[last] = &Node{Name: kids[last].Name + " " + k.Name}
		default:
			kids = append(kids, k)
		}
	}
	n.Kids = kids
	if n.Name == "" && fromContent[n.Role] {
		n.Name = strings.Join(strings.Fields(spoken(n)), " ")
	}
	if len(kids) == 1 && kids[0].Role == "" && kids[0].Name == n.Name {
		n.Kids = nil
	}
	return n
}

// spoken is the text of a name from content.
func spoken(n *Node) string {
	var parts []string
	for _, k := range n.Kids {
		if k.Role == "" || k.Name != "" {
			parts = append(parts, k.Name)
		} else {
			parts = append(parts, spoken(k))
		}
	}
	return strings.Join(parts, " ")
}

// told is what identifies a control: names and texts.
type told struct {
	node *Node
	say  []string // its own and its ancestors' names
	near []string // the texts beside it
}

// telling lists the controls of a tree with what identifies them. A clickable
// in a control is a part of it if it is its label, or if the control is a
// button or the like.
func telling(n *Node, given map[*Node]bool, above []string, control *Node) []told {
	var list []told
	if given[n] {
		above = append(above[:len(above):len(above)], n.Name)
	}
	for _, k := range n.Kids {
		text := strings.TrimSpace(k.Name + " " + strings.Join(ownText(k), " "))
		part := k.Role == "clickable" && !k.hasControlBelow() && control != nil &&
			(single[control.Role] || text != "" && wordsOf(control.Name).hold(text))
		own := k.Control() && !part
		if own {
			c := told{node: k, say: append(append(above[:len(above):len(above)], k.Name), ownText(k)...)}
			for _, s := range n.Kids {
				if s.Role == "" {
					c.near = append(c.near, s.Name)
				}
			}
			list = append(list, c)
		}
		in := control
		if k.Control() && (in == nil || !single[in.Role]) {
			in = k
		}
		list = append(list, telling(k, given, above, in)...)
	}
	return list
}

func (n *Node) hasControlBelow() bool { return slices.ContainsFunc(n.Kids, (*Node).hasControl) }

// ownText is a node's text without that of controls in it.
func ownText(n *Node) []string {
	var list []string
	for _, k := range n.Kids {
		switch {
		case k.Control() && (k.Role != "clickable" || k.hasControlBelow()):
		case k.Role == "":
			list = append(list, k.Name)
		default:
			list = append(append(list, k.Name), ownText(k)...)
		}
	}
	return list
}

// printed is a line with its ancestor lines and the lines around it.
type printed struct {
	line   string
	path   string // the lines above and the line
	inside string // the lines below it
	around string // all lines with the same parent
}

// places finds the line of every ref that is shown.
func places(lines []Line) map[string]printed {
	found := map[string]printed{}
	for i, l := range lines {
		p := printed{line: l.Text, path: l.Text}
		depth, parent := l.Depth, -1
		for j := i - 1; j >= 0 && depth > 0; j-- {
			if lines[j].Depth < depth {
				if parent < 0 {
					parent = j
				}
				depth, p.path = lines[j].Depth, lines[j].Text+"\n"+p.path
			}
		}
		for j := i + 1; j < len(lines) && lines[j].Depth > l.Depth; j++ {
			p.inside += "\n" + lines[j].Text
		}
		for j := parent + 1; j < len(lines) && (parent < 0 || lines[j].Depth > lines[parent].Depth); j++ {
			p.around += "\n" + lines[j].Text
		}
		for rest := l.Text; ; {
			_, after, ok := strings.Cut(rest, "[ref=")
			if !ok {
				break
			}
			ref, tail, _ := strings.Cut(after, "]")
			found[ref], rest = p, tail
		}
	}
	return found
}

func checkTree(root *Node, given map[*Node]bool) error {
	controls := telling(root, given, nil, nil)
	whole := root.Outline(Options{Whole: true})
	if err := checkTold(controls, places(whole), true); err != nil {
		return fmt.Errorf("searched: %w", err)
	}
	if err := checkTexts(root, Text(whole)); err != nil {
		return err
	}
	for level := range levels {
		if err := checkTold(controls, places(root.At(Options{}, level)), false); err != nil {
			return fmt.Errorf("outline at level %d: %w", level, err)
		}
	}
	return checkApart(controls, places(whole))
}

// checkTold: every control is shown, with the words that identify it. In an
// outline only controls that it shows whole are checked.
func checkTold(controls []told, at map[string]printed, all bool) error {
	for _, c := range controls {
		p, ok := at[c.node.Ref]
		if !ok && all {
			return fmt.Errorf("%s %s is not shown", c.node.Role, c.node.Ref)
		}
		if cut := strings.Contains(p.path+p.inside+p.around, "…"); !ok || !all && cut || strings.Contains(p.inside+p.around, " more like it)") {
			continue
		}
		if !strings.Contains(p.line, c.node.Role) {
			return fmt.Errorf("%s %s is not said to be one: %s", c.node.Role, c.node.Ref, p.line)
		}
		if !strings.Contains(p.line, strings.TrimSpace(c.node.states())) {
			return fmt.Errorf("%s lost its state: %s", c.node.Ref, p.line)
		}
		for _, w := range wordsIn(c.say, all) {
			if !saysWord(p.path+p.inside, w) {
				return fmt.Errorf("%s is not told by %q: %q", c.node.Ref, w, p.path)
			}
		}
		for _, w := range wordsIn(c.near, all) {
			if !separators[w] && !saysWord(p.path+p.inside+p.around, w) {
				return fmt.Errorf("%q is not beside %s", w, c.node.Ref)
			}
		}
	}
	return nil
}

// wordsIn are the words of all texts, or only of short ones, since an outline
// may cut the others.
func wordsIn(texts []string, all bool) []string {
	var list []string
	for _, text := range texts {
		if all || len(text) <= 30 {
			list = append(list, strings.Fields(text)...)
		}
	}
	return list
}

// saysWord reports whether a text contains a whole word.
func saysWord(text, word string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n\"[]=|:…", r) }),
		func(w string) bool { return w == word })
}

// checkTexts: a search finds every name and text.
func checkTexts(n *Node, whole string) error {
	for _, k := range n.Kids {
		for w := range strings.FieldsSeq(k.Name) {
			if !saysWord(whole, w) {
				return fmt.Errorf("a search does not find %q of %s %s", w, k.Role, k.Ref)
			}
		}
		if err := checkTexts(k, whole); err != nil {
			return err
		}
	}
	return nil
}

// checkApart: two different controls differ in the outline.
func checkApart(controls []told, at map[string]printed) error {
	seen := map[string]told{}
	for _, c := range controls {
		look := withoutRefs(at[c.node.Ref].path) + "\x00" + withoutRefs(at[c.node.Ref].inside)
		if strings.Count(at[c.node.Ref].line, "[ref=") > 1 {
			continue // several in one line: their places in it differ
		}
		o, ok := seen[look]
		if !ok {
			seen[look] = c
			continue
		}
		if a, b := told.key(o), told.key(c); a != b {
			return fmt.Errorf("%s and %s look alike: %s and %s", o.node.Ref, c.node.Ref, a, b)
		}
	}
	return nil
}

func (c told) key() string {
	say := slices.Compact(slices.Sorted(slices.Values(wordsIn(c.say, true))))
	return c.node.Role + c.node.Flags + " " + strings.Join(say, " ")
}

func withoutRefs(s string) string {
	for {
		before, after, ok := strings.Cut(s, " [ref=")
		if !ok {
			return s
		}
		_, rest, _ := strings.Cut(after, "]")
		s = before + rest
	}
}
