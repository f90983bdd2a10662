package snapshot

import (
	"fmt"
	"slices"
)

// maxMoves is how many lines are named that have another place. Of a table that was sorted the
// order is more than a difference can say.
const maxMoves = 12

// moves finds the lines with a ref whose order changed: as few as must be taken out until the
// others stand as they did. It says by index where each stands now. What moved together with the
// line above it is not named.
func moves(before, after []Line) map[int]string {
	was := map[string]int{}
	for i, l := range before {
		if ref := l.ref(); ref != "" {
			was[ref] = i + 1
		}
	}
	var places, lines []int // where each stood, and which line it is
	for i, l := range after {
		if at := was[l.ref()]; at > 0 {
			places, lines = append(places, at), append(lines, i)
		}
	}
	stays := map[int]bool{}
	for _, i := range rising(places) {
		stays[lines[i]] = true
	}
	moved := map[int]string{}
	var above []int // lines that lead to the one at hand
	first := -1
	for n, i := range lines {
		for len(above) > 0 && after[above[len(above)-1]].Depth >= after[i].Depth {
			above = above[:len(above)-1]
		}
		with := len(above) > 0 && !stays[above[len(above)-1]]
		if !stays[i] && !with {
			moved[i] = "(now first)"
			if n > 0 {
				moved[i] = "(now behind " + after[lines[n-1]].ref() + ")"
			}
			if first < 0 {
				first = i
			}
		}
		above = append(above, i)
	}
	if len(moved) > maxMoves {
		more := fmt.Sprintf("and %d more have another place: snapshot shows the order", len(moved)-1)
		return map[int]string{first: more}
	}
	return moved
}

// rising returns the indexes of a longest rising part of a list of different numbers.
func rising(list []int) []int {
	var ends []int // index of the smallest number that ends a part of each length
	from := make([]int, len(list))
	for i, n := range list {
		at, _ := slices.BinarySearchFunc(ends, n, func(e, n int) int { return list[e] - n })
		from[i] = -1
		if at > 0 {
			from[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		}
		ends[at] = i
	}
	if len(ends) == 0 {
		return nil
	}
	var part []int
	for i := ends[len(ends)-1]; i >= 0; i = from[i] {
		part = append(part, i)
	}
	return part
}
