package heap

import (
	"cmp"
	"slices"
	"strconv"
)

// detachedTree is a detached node that no other one keeps.
type detachedTree struct {
	node  int32
	nodes int
	way   []step // from a root, its end
}

type step struct{ node, edge int32 }

// findTrees finds the detached nodes that keep most, and what keeps them.
func (g *graph) findTrees() {
	below := make([]int32, len(g.tree.node)) // by number: detached nodes there
	for i := len(g.tree.node) - 1; i > 0; i-- {
		if g.detached[g.tree.node[i]] {
			below[i]++
		}
		below[g.tree.idom[i]] += below[i]
	}
	within := make([]bool, len(g.tree.node)) // by number: it, or what keeps it, is detached
	for i := 1; i < len(g.tree.node); i++ {
		node := g.tree.node[i]
		within[i] = within[g.tree.idom[i]]
		if within[i] || !g.detached[node] {
			continue
		}
		within[i] = true
		g.topmost++
		g.trees = append(g.trees, detachedTree{node: node, nodes: int(below[i])})
	}
	slices.SortStableFunc(g.trees, func(a, b detachedTree) int {
		return cmp.Compare(g.retained[b.node], g.retained[a.node])
	})
	if g.trees = slices.Clone(g.trees[:min(len(g.trees), maxTrees)]); len(g.trees) > 0 {
		g.findWays()
	}
}

// findWays finds the shortest way to each tree.
func (g *graph) findWays() {
	by, via := filled(len(g.kind)), filled(len(g.kind))
	by[0] = 0
	queue := []int32{0}
	for i := 0; i < len(queue); i++ {
		node := queue[i]
		for edge := g.first[node]; edge < g.first[node+1]; edge++ {
			if to := g.to[edge]; by[to] < 0 && g.keeps(node, edge) {
				by[to], via[to] = node, edge
				queue = append(queue, to)
			}
		}
	}
	for i := range g.trees {
		t := &g.trees[i]
		for node := t.node; node != 0 && by[node] >= 0 && len(t.way) < longestWay; node = by[node] {
			t.way = append(t.way, step{by[node], via[node]})
		}
		slices.Reverse(t.way)
	}
}

func (g *graph) named(n *names) (list []Tree) {
	for _, t := range g.trees {
		list = append(list, Tree{n.texts[g.name[t.node]], t.nodes, g.retained[t.node], g.held(n, t.way)})
	}
	return list
}

// held writes the end of a way as an expression of JavaScript would, with brackets around
// what is V8's own.
func (g *graph) held(n *names, way []step) string {
	begin := ""
	for i := len(way) - 1; i >= 0 && begin == ""; i-- {
		switch edge := n.texts[g.edgeName[way[i].edge]]; {
		case !g.own(way[i]):
		case edge == "global_object":
			begin, way = "window", way[i+1:]
		case edge == "script_context_table" && i+1 < len(way): // a list of scopes
			begin, way = "(top scope)", way[i+2:]
		}
	}
	if left := len(way) - maxSteps; left > 0 {
		begin, way = "…", way[left:]
	}
	if begin == "" && len(way) > 0 {
		begin = n.texts[g.name[way[0].node]]
	}
	for _, s := range way {
		at := g.edgeName[s.edge]
		switch {
		case g.numbered(s):
			begin += "[" + strconv.Itoa(int(at)) + "]"
		case g.own(s):
			begin += "(" + n.texts[at] + ")"
		default:
			begin += "." + n.texts[at]
		}
	}
	return begin
}

// own reports whether an edge is V8's own, and no property or variable.
func (g *graph) own(s step) bool {
	kind := g.f.edgeTypes[g.edgeKind[s.edge]]
	return kind != "property" && kind != "context"
}

// numbered reports whether an edge has an index, and no name.
func (g *graph) numbered(s step) bool {
	kind := g.f.edgeTypes[g.edgeKind[s.edge]]
	return kind == "element" || kind == "hidden"
}
