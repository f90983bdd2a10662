package heap

// dominators is a tree of the nodes of a graph: each is below the one without which it
// would be unreachable. Nodes have numbers in the order of a depth-first search, which
// begins at the root; nodes that no edge reaches are below the root, too.
type dominators struct {
	node []int32 // by number
	idom []int32 // by number, a number: smaller than its own
}

// children are, by number, a node's first child and its next sibling; -1 for none.
func (d *dominators) children() (next, child []int32) {
	next, child = filled(len(d.node)), filled(len(d.node))
	for i := int32(len(d.node)) - 1; i > 0; i-- {
		next[i], child[d.idom[i]] = child[d.idom[i]], i
	}
	return next, child
}

// filled is a list of -1.
func filled(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

// dominate finds the dominators, as Lengauer and Tarjan do: in a time that hardly depends
// on the shape of the graph, which the page decides.
func (g *graph) dominate() dominators {
	d, num, parent := g.search()
	reached := int32(len(d.node))
	from, first := g.reverse(num, reached)
	semi, label, ancestor := make([]int32, reached), make([]int32, reached), filled(int(reached))
	for i := range reached {
		semi[i], label[i] = i, i
	}
	w := forest{semi, label, ancestor, nil}
	bucket, next := filled(int(reached)), filled(int(reached))
	d.idom = make([]int32, reached)
	for i := reached - 1; i > 0; i-- {
		for _, v := range from[first[i]:first[i+1]] {
			semi[i] = min(semi[i], semi[w.best(v)])
		}
		next[i], bucket[semi[i]] = bucket[semi[i]], i
		p := parent[i]
		ancestor[i] = p
		for v := bucket[p]; v >= 0; v = next[v] {
			d.idom[v] = p
			if u := w.best(v); semi[u] < semi[v] {
				d.idom[v] = u
			}
		}
		bucket[p] = -1
	}
	for i := int32(1); i < reached; i++ {
		if d.idom[i] != semi[i] {
			d.idom[i] = d.idom[d.idom[i]]
		}
	}
	for node, n := range num {
		if n < 0 {
			d.node, d.idom = append(d.node, int32(node)), append(d.idom, 0)
		}
	}
	return d
}

// search numbers the nodes. num is -1 for those that are not reached.
func (g *graph) search() (d dominators, num, parent []int32) {
	num, at := filled(len(g.kind)), make([]int32, len(g.kind))
	copy(at, g.first)
	d.node, parent = append(make([]int32, 0, len(g.kind)), 0), append(make([]int32, 0, len(g.kind)), 0)
	num[0] = 0
	for i := int32(0); ; {
		node := d.node[i]
		edge := at[node]
		if edge == g.first[node+1] {
			if i == 0 {
				return d, num, parent
			}
			i = parent[i]
			continue
		}
		at[node]++
		to := g.to[edge]
		if num[to] >= 0 || !g.keeps(node, edge) {
			continue
		}
		num[to] = int32(len(d.node))
		d.node, parent = append(d.node, to), append(parent, i)
		i = num[to]
	}
}

// reverse lists, by number, the nodes with an edge to a node.
func (g *graph) reverse(num []int32, reached int32) (from, first []int32) {
	first = make([]int32, reached+2)
	each := func(do func(from, to int32)) {
		for node := range int32(len(g.kind)) {
			for edge := g.first[node]; num[node] >= 0 && edge < g.first[node+1]; edge++ {
				if g.keeps(node, edge) {
					do(num[node], num[g.to[edge]])
				}
			}
		}
	}
	each(func(_, to int32) { first[to+2]++ })
	for i := int32(2); i < reached+2; i++ {
		first[i] += first[i-1]
	}
	from = make([]int32, first[reached+1])
	each(func(of, to int32) {
		from[first[to+1]] = of
		first[to+1]++
	})
	return from, first
}

// forest is the part of the search tree that was visited.
type forest struct {
	semi, label, ancestor []int32
	path                  []int32
}

// best is the node with the smallest semidominator on the way from v to the root of its
// tree.
func (w *forest) best(v int32) int32 {
	if w.ancestor[v] < 0 {
		return v
	}
	w.path = w.path[:0]
	for u := v; w.ancestor[w.ancestor[u]] >= 0; u = w.ancestor[u] {
		w.path = append(w.path, u)
	}
	for i := len(w.path) - 1; i >= 0; i-- {
		u := w.path[i]
		above := w.ancestor[u]
		if w.semi[w.label[above]] < w.semi[w.label[u]] {
			w.label[u] = w.label[above]
		}
		w.ancestor[u] = w.ancestor[above]
	}
	return w.label[v]
}
