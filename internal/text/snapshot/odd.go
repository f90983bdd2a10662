package snapshot

// What tells items of a list apart, and which of them are unlike the others. Items are looked
// at by their parts: of a row its cells, of others the texts in them, in order.

const (
	maxParts  = 24 // of an item that are looked at
	maxOdd    = 6  // odd ones that are shown of a fold
	maxLooked = 500
)

// parts are the texts of an item.
func (v *view) parts() []string {
	if v.role == "row" {
		return v.cells
	}
	var list []string
	var look func(v *view)
	look = func(v *view) {
		if len(list) >= maxParts || v.fold != "" {
			return
		}
		if text := v.name + v.value; text != "" {
			list = append(list, text)
		}
		for _, k := range v.kids {
			look(k)
		}
	}
	look(v)
	return list
}

// cellAt is what a cell of a row says.
func (v *view) cellAt(column int) string {
	if column < 0 || column >= len(v.cells) {
		return ""
	}
	return v.cells[column]
}

// tellingColumn is the column that tells rows apart best: the first in which no two are alike, a
// text rather than a number; -1 if all are empty.
func tellingColumn(rows []*view) int {
	rows = rows[:min(len(rows), maxLooked)]
	best, most := -1, 0
	for column := range rows[0].cells {
		if column >= maxParts {
			break
		}
		seen, numbers := map[string]bool{}, 0
		for _, v := range rows {
			if cell := v.cellAt(column); cell != "" {
				seen[cell] = true
				if isNumber(cell) {
					numbers++
				}
			}
		}
		worth := 2 * len(seen)
		if numbers > len(rows)/2 {
			worth-- // of two that tell all apart, the one in words
		}
		if worth > most {
			best, most = column, worth
		}
	}
	return best
}

func isNumber(s string) bool {
	for _, r := range s {
		if kindOf(r) != digit && kindOf(r) != other {
			return false
		}
	}
	return true
}

// odd are the items of a group that say something else where nearly all others say the same few
// things: the overdue one among paid ones.
func (g *group) odd() map[*view]bool {
	if g.first.role == "" || len(g.all) <= minFold {
		return nil
	}
	all := make([][]string, len(g.all))
	slots := 0
	for i, v := range g.all {
		all[i] = v.parts()
		slots = max(slots, min(len(all[i]), maxParts))
	}
	odd := map[*view]bool{}
	for slot := range slots {
		g.oddIn(all, slot, odd)
	}
	return odd
}

// oddIn adds the items that are odd in one of their parts.
func (g *group) oddIn(all [][]string, slot int, odd map[*view]bool) {
	times := map[string]int{}
	for _, parts := range all {
		if slot < len(parts) {
			if times[parts[slot]]++; len(times) > 8 {
				return // it tells each from the others
			}
		}
	}
	rare := max(1, len(all)/50)
	var found []*view
	for i, parts := range all {
		if slot < len(parts) && times[parts[slot]] <= rare && parts[slot] != "" {
			found = append(found, g.all[i])
		}
	}
	if len(found) > maxOdd/2 || len(odd)+len(found) > maxOdd {
		return
	}
	for _, v := range found {
		odd[v] = true
	}
}
