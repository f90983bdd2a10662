package heap

import (
	"cmp"
	"strings"
	"unicode"

	"pwpipe/internal/text/secrets"
)

// names are the strings of a snapshot that its answer needs.
type names struct {
	mask  func(string) string // hides secrets, before texts are cut
	texts map[int32]string    // of the detached trees
	class []int32             // by string: 0 for one that is no class, or a class from 1
	known map[string]int32
	list  []Class
}

// otherClasses is the class of objects whose own class is not known.
const (
	otherClasses = 0
	otherName    = "(other classes)"
)

func newNames(g *graph, mask func(string) string) *names {
	n := &names{mask: mask, texts: map[int32]string{}, known: map[string]int32{otherName: otherClasses},
		list: []Class{{Name: otherName}}}
	last := int32(0)
	for node, name := range g.name {
		if g.namedByString(node) {
			last = max(last, name)
		}
	}
	n.class = make([]int32, last+1)
	for node, name := range g.name {
		if g.namedByString(node) {
			n.class[name] = -1
		}
	}
	for _, t := range g.trees {
		n.texts[g.name[t.node]] = ""
		for _, s := range t.way {
			n.texts[g.name[s.node]] = ""
			if !g.numbered(s) {
				n.texts[g.edgeName[s.edge]] = ""
			}
		}
	}
	return n
}

// namedByString reports whether a node's string is its class.
func (g *graph) namedByString(node int) bool {
	kind := g.f.nodeTypes[g.kind[node]]
	return kind == "object" || kind == "native"
}

func (n *names) needs(i int) bool {
	if i < len(n.class) && n.class[i] != 0 {
		return true
	}
	_, needed := n.texts[int32(i)]
	return needed
}

func (n *names) put(i int, text string) {
	if n.mask != nil {
		text = n.mask(text)
	}
	text = strings.Map(oneLine, text)
	if _, needed := n.texts[int32(i)]; needed {
		n.texts[int32(i)] = secrets.Shorten(text, maxName)
	}
	if i < len(n.class) && n.class[i] != 0 {
		n.class[i] = n.named(className(text))
	}
}

// oneLine makes a space of what would begin another line of the answer.
func oneLine(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
		return ' '
	}
	return r
}

// className is a class without what only one of its objects has: the attributes of an
// element.
func className(text string) string {
	if rest, element := strings.CutPrefix(text, "<"); element {
		tag, _, _ := strings.Cut(strings.TrimSuffix(rest, ">"), " ")
		text = "<" + tag + ">"
	}
	return secrets.Shorten(text, maxName)
}

func (n *names) named(name string) int32 {
	k, known := n.known[name]
	if !known {
		if len(n.list) > maxClasses {
			return otherClasses
		}
		k = int32(len(n.list))
		n.known[name] = k
		n.list = append(n.list, Class{Name: name})
	}
	return k
}

// ofKind are the classes of nodes that have no class of their own.
var ofKind = map[string]string{
	"hidden": "(system)", "array": "(array)",
	"string": "(string)", "concatenated string": "(string)", "sliced string": "(string)",
	"code": "(compiled code)", "closure": "Function", "regexp": "RegExp", "number": "(number)", "symbol": "(symbol)",
	"bigint": "(bigint)", "object shape": "(object shape)", "synthetic": "(roots)",
}

func (g *graph) classes(n *names) []Class {
	kinds := make([]int32, len(g.f.nodeTypes))
	for i, kind := range g.f.nodeTypes {
		kinds[i] = n.named(cmp.Or(ofKind[kind], "("+secrets.Shorten(kind, maxName)+")"))
	}
	of := make([]int32, len(g.kind))
	for node, kind := range g.kind {
		of[node] = kinds[kind]
		if g.namedByString(node) {
			of[node] = max(otherClasses, n.class[g.name[node]])
		}
	}
	g.classesOf(of, n.list)
	list := n.list[:0]
	for _, k := range n.list {
		if k.Count > 0 {
			list = append(list, k)
		}
	}
	return list
}
