package heap

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// node is a node of a snapshot that a test writes, with the nodes that it refers to.
type node struct {
	kind, name string
	self       int
	detached   bool
	to         []int
}

var kinds = []string{"hidden", "array", "string", "object", "native", "synthetic"}

// written is a snapshot as V8 writes it. Odd edges are properties, even ones elements.
func written(nodes []node) string {
	var list, edges []string
	texts := []string{"<dummy>"}
	text := func(s string) int {
		i := slices.Index(texts, s)
		if i < 0 {
			i = len(texts)
			texts = append(texts, s)
		}
		return i
	}
	for i, n := range nodes {
		detached := 0
		if n.detached {
			detached = isDetached
		}
		list = append(list, fmt.Sprintf("%d,%d,%d,%d,%d,%d",
			slices.Index(kinds, n.kind), text(n.name), 2*i+1, n.self, len(n.to), detached))
		for _, to := range n.to {
			edges = append(edges, fmt.Sprintf("0,%d,%d", text("to"+fmt.Sprint(to)), 6*to))
		}
	}
	quoted := func(list []string) string { raw, _ := json.Marshal(list); return string(raw) }
	return fmt.Sprintf(`{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count","detachedness"],
"node_types":[%s,"string","number","number","number","number"],"edge_fields":["type","name_or_index","to_node"],
"edge_types":[["property","weak"],"string_or_number","node"]},"node_count":%d,"edge_count":%d},
"nodes":[%s
],"edges":[%s],"locations":[1,"]",{"a":["\"]"]}],
"strings":%s}`, quoted(kinds), len(nodes), len(edges),
		strings.Join(list, "\n,"), strings.Join(edges, ","), quoted(texts))
}

func TestRead(t *testing.T) {
	text := written([]node{
		{kind: "synthetic", to: []int{1}},
		{kind: "object", name: "Box", self: 10, to: []int{2, 3}},
		{kind: "object", name: "Box", self: 20, to: []int{4}},
		{kind: "native", name: `<div class="a b">`, self: 5, detached: true, to: []int{5, 4}},
		{kind: "string", name: "x", self: 100},
		{kind: "native", name: "<b\n>", self: 7, detached: true},
	})
	s, err := Read(strings.NewReader(text), func(s string) string { return strings.ReplaceAll(s, "Box", "B*x") })
	if err != nil {
		t.Fatal(err)
	}
	want := `5 objects, 142 B
keeps  takes  objects  class
142 B  30 B   2        B*x
100 B  100 B  1        (string)
12 B   5 B    1        <div>
7 B    7 B    1        <b>
2 detached nodes
keeps  nodes  node               held by
12 B   2      <div class="a b">  .to1.to3`
	if got := s.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	less := written([]node{{kind: "synthetic", to: []int{1}}, {kind: "object", name: "Box", self: 7}})
	c, err := Compare(strings.NewReader(text), strings.NewReader(less), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Text(); !strings.Contains(got, "-4 objects, -135 B, -2 detached nodes") ||
		!strings.Contains(got, "-23 B   -135 B  2 to 1   Box") {
		t.Error(got)
	}
}

// TestMany: fifteen classes are named, those first that keep most, and how many others there are.
func TestMany(t *testing.T) {
	nodes := []node{{kind: "synthetic", to: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}}}
	for i := range 17 {
		nodes = append(nodes, node{kind: "object", name: fmt.Sprint("K", i), self: (i/2 + 1) << 10})
	}
	s, err := Read(strings.NewReader(written(nodes)), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compare(strings.NewReader(written([]node{{kind: "synthetic"}})), strings.NewReader(written(nodes)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		s.Text(): "9.0 KiB  9.0 KiB  1        K16\n8.0 KiB  8.0 KiB  1        K14\n8.0 KiB ",
		c.Text(): "+17 objects, +81.0 KiB, +0 detached nodes\n"} {
		if !strings.Contains(text, want) || !strings.Contains(text, "and 2 other classes") {
			t.Errorf("%s\nhas no %q", text, want)
		}
	}
	for size, want := range map[int64]string{0: "0 B", 1023: "1023 B", -1024: "-1.0 KiB", 1 << 20: "1.0 MiB"} {
		if got := Size(size); got != want {
			t.Errorf("%d: %s, want %s", size, got, want)
		}
	}
}

// TestNoSnapshots: whatever a file contains, it is refused or read.
func TestNoSnapshots(t *testing.T) {
	good := written([]node{{kind: "synthetic", to: []int{1, 2}},
		{kind: "object", name: "é\"\\", self: 1, detached: true, to: []int{1, 2}}, {kind: "native", name: "n"}})
	for i := range len(good) {
		if _, err := Read(strings.NewReader(good[:i]), nil); err == nil {
			t.Errorf("the first %d bytes are a snapshot", i)
		}
		for _, b := range []byte(`9"]{-\,`) {
			_, _ = Read(strings.NewReader(good[:i]+string(b)+good[i+1:]), nil)
		}
	}
	huge := strings.Replace(good, `"node_count":3`, `"node_count":9000000`, 1)
	_, err := Read(strings.NewReader(huge), nil)
	if err == nil || !strings.Contains(err.Error(), "too large to analyse: 9000000 objects") {
		t.Error(err)
	}
}

// TestDominators compares with what the word means: without its dominator a node is not
// reached.
func TestDominators(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		nodes := make([]node, 1+random.IntN(12))
		for i := range nodes {
			nodes[i].kind = "object"
			for range random.IntN(4) {
				nodes[i].to = append(nodes[i].to, random.IntN(len(nodes)))
			}
		}
		g, _, err := read(strings.NewReader(written(nodes)), nil)
		if err != nil {
			t.Fatal(err)
		}
		all := reached(nodes, -1)
		above := map[int]int{}
		for i, n := range g.tree.node {
			above[int(n)] = int(g.tree.node[g.tree.idom[i]])
		}
		for without := 1; without < len(nodes); without++ {
			left := reached(nodes, without)
			for n := range nodes {
				below := n == without
				for at := n; at != 0 && !below; at = above[at] {
					below = above[at] == without
				}
				if all[n] && all[without] && below == left[n] {
					t.Fatalf("%v: %d below %d: %v", nodes, n, without, below)
				}
			}
		}
	}
}

// reached are the nodes that the root leads to.
func reached(nodes []node, without int) map[int]bool {
	seen := map[int]bool{}
	var visit func(int)
	visit = func(n int) {
		if n == without || seen[n] {
			return
		}
		seen[n] = true
		for _, to := range nodes[n].to {
			visit(to)
		}
	}
	visit(0)
	return seen
}
