package snapshot

import "strconv"

func (b outliner) cut(s string, most int) string {
	if b.Whole {
		return s
	}
	return cut(s, most)
}

// most is how much of a text is shown.
func (v *view) most() int {
	if v.pieces {
		return 4 * textLength
	}
	return textLength
}

// head is the line of a view without its children.
func (b outliner) head(v *view) string {
	if v.fold != "" {
		return v.fold
	}
	if v.role == "" {
		return quote(b.cut(v.name, v.most()))
	}
	s := v.role
	if v.name != "" {
		most := textLength
		if v.acts {
			most = nameLength
		}
		s += " " + quote(b.cut(v.name, most))
	}
	s += v.state
	if v.ref != "" && (v.acts && v.role != "row" || v.role == "iframe") {
		s += " [ref=" + v.ref + "]"
	}
	if b.Whole && v.url != "" {
		s += " " + v.url
	}
	if v.value != "" {
		most := nameLength
		if v.role == "row" || v.long {
			most = 1 << 20 // its parts are cut one by one
		}
		s += ": " + b.cut(v.value, most)
	}
	return s
}

func (b outliner) print(out []Line, v *view, at int) []Line {
	if b.Depth > 0 && at >= b.Depth {
		return out
	}
	text := b.head(v)
	if v.role == "row" || len(v.kids) == 0 {
		return append(out, Line{at, text})
	}
	if b.Depth > 0 && at+1 >= b.Depth {
		return append(out, Line{at, text + " (" + strconv.Itoa(count(v)-1) + " more inside)"})
	}
	out = append(out, Line{at, text + ":"})
	for _, k := range v.kids {
		out = b.print(out, k, at+1)
	}
	return out
}

// count is the number of lines that a view takes.
func count(v *view) int {
	n := 1
	if v.role == "row" {
		return n
	}
	for _, k := range v.kids {
		n += count(k)
	}
	return n
}
