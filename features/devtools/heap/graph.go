package heap

import (
	"math"
	"slices"
)

// isDetached is V8's number for a node that is in no document.
const isDetached = 2

// graph is the objects of a heap, and their references.
type graph struct {
	f        format
	kind     []uint8 // of each node
	detached []bool
	name     []int32 // a string
	self     []int64
	first    []int32 // its first edge, and one more for the end

	edges

	total         int64
	objects       int // nodes that take memory
	detachedNodes int

	tree     dominators
	retained []int64
	trees    []detachedTree
	topmost  int // detached nodes whose dominator is not detached
}

type edges struct {
	edgeKind      []uint8
	edgeName      []int32 // a string, or an index
	to            []int32
	weak, shorten int // the kinds that keep nothing
}

func newGraph(f format, nodes, references int) *graph {
	return &graph{f: f, kind: make([]uint8, 0, nodes), detached: make([]bool, 0, nodes),
		name: make([]int32, 0, nodes), self: make([]int64, 0, nodes), first: make([]int32, 1, nodes+1),
		edges: edges{make([]uint8, 0, references), make([]int32, 0, references), make([]int32, 0, references),
			slices.Index(f.edgeTypes, "weak"), slices.Index(f.edgeTypes, "shortcut")}}
}

// addNode takes the record of a node, and reports whether it is valid.
func (g *graph) addNode(v []int64) bool {
	kind, name, self := v[g.f.kind], v[g.f.name], v[g.f.self]
	end := int64(g.first[len(g.first)-1]) + v[g.f.count]
	if kind >= int64(len(g.f.nodeTypes)) || name > MaxNodes+MaxEdges || end > int64(cap(g.to)) ||
		self > math.MaxInt32*1024 {
		return false
	}
	detached := g.f.detached >= 0 && v[g.f.detached] == isDetached
	if detached {
		g.detachedNodes++
	}
	g.kind, g.detached = append(g.kind, uint8(kind)), append(g.detached, detached)
	g.name, g.self, g.first = append(g.name, int32(name)), append(g.self, self), append(g.first, int32(end))
	if g.total += self; self > 0 {
		g.objects++
	}
	return true
}

// addEdge takes the record of an edge, and reports whether it is valid.
func (g *graph) addEdge(v []int64) bool {
	kind, name, to := v[g.f.edgeKind], v[g.f.edgeName], v[g.f.to]
	if kind >= int64(len(g.f.edgeTypes)) || name > math.MaxInt32 ||
		to%int64(g.f.nodes) != 0 || to/int64(g.f.nodes) >= int64(len(g.kind)) {
		return false
	}
	g.edgeKind, g.edgeName = append(g.edgeKind, uint8(kind)), append(g.edgeName, int32(name))
	g.to = append(g.to, int32(to/int64(g.f.nodes)))
	return true
}

// keeps reports whether an edge of a node keeps what it leads to.
func (g *graph) keeps(node int32, edge int32) bool {
	kind := int(g.edgeKind[edge])
	return kind != g.weak && (kind != g.shorten || node == 0) && g.to[edge] != node
}

// weigh sums up what each node keeps.
func (g *graph) weigh() {
	g.tree = g.dominate()
	g.retained = slices.Clone(g.self)
	for i := len(g.tree.node) - 1; i > 0; i-- {
		g.retained[g.tree.node[g.tree.idom[i]]] += g.retained[g.tree.node[i]]
	}
}

// classesOf sums up the nodes by class. What an object keeps is not counted twice where
// it is kept by another one of its class.
func (g *graph) classesOf(of []int32, classes []Class) {
	next, child := g.tree.children()
	open := make([]int32, len(classes)) // objects of a class on the way to the root
	for at := int32(0); ; {
		node := g.tree.node[at]
		k := of[node]
		c := &classes[k]
		if c.Own += g.self[node]; g.self[node] > 0 { // DevTools does not count the others
			c.Count++
		}
		if open[k]++; open[k] == 1 {
			c.Retained += g.retained[node]
		}
		if child[at] >= 0 {
			at = child[at]
			continue
		}
		for {
			open[of[g.tree.node[at]]]--
			if at == 0 {
				return
			}
			if next[at] >= 0 {
				at = next[at]
				break
			}
			at = g.tree.idom[at]
		}
	}
}
