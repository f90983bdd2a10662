package nodesandbox

import (
	"maps"
	"sync"
)

// Group bounds the memory of several cells together: Memory bytes, plus Each for every
// cell. Above it, the cell that holds most is ended.
type Group struct {
	Memory, Each int64

	mu    sync.Mutex
	cells map[*Cell]int64 // resident memory of each, at the last check
}

// resident records a cell's resident memory. That includes all shared memory, so it is
// an upper bound of its share, as in look. It reports the error of the cell that must
// end.
func (g *Group) resident(c *Cell, bytes int64) (which *Cell, over error) {
	if g == nil {
		return nil, nil
	}
	g.mu.Lock()
	if g.cells == nil {
		g.cells = map[*Cell]int64{}
	}
	g.cells[c] = bytes
	var all int64
	for _, n := range g.cells {
		all += n
	}
	cells := maps.Clone(g.cells)
	g.mu.Unlock()
	bound := g.Memory + int64(len(cells))*g.Each
	if all <= bound {
		return nil, nil
	}
	var held, most int64
	for c := range cells {
		pss := c.PSS()
		held += pss
		if pss > most {
			which, most = c, pss
		}
	}
	if held <= bound {
		return nil, nil
	}
	return which, &memoryError{held: most, bound: bound, all: true}
}

func (g *Group) leave(c *Cell) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.cells, c)
}
