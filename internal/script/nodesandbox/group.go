package nodesandbox

import (
	"maps"
	"sync"
)

// Group is cells that may hold no more than Memory bytes together, and Each besides
// for every one: the one that holds most is ended where they do.
type Group struct {
	Memory, Each int64

	mu    sync.Mutex
	cells map[*Cell]int64 // what is resident of each, as it was seen last
}

// resident notes what is resident of a cell, which includes all that it shares: so
// it is the upper bound of its share, as in look. It reports the error of the cell
// that is to end.
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
