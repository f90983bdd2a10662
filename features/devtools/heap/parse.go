package heap

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// maxHead bounds what a snapshot says of its format.
const maxHead = 1 << 20

// maxText bounds the bytes of a string that are kept.
const maxText = 400

var errForm = errors.New("it is not a heap snapshot as Chromium writes it")

// head is what a snapshot says of its format.
type head struct {
	Meta struct {
		NodeFields []string          `json:"node_fields"`
		NodeTypes  []json.RawMessage `json:"node_types"`
		EdgeFields []string          `json:"edge_fields"`
		EdgeTypes  []json.RawMessage `json:"edge_types"`
	} `json:"meta"`
	Nodes int `json:"node_count"`
	Edges int `json:"edge_count"`
}

// format is where the fields of nodes and edges are.
type format struct {
	nodes, edges int // fields of each
	nodeTypes    []string
	edgeTypes    []string

	kind, name, self, count, detached int // of a node; detached is -1 in old snapshots
	edgeKind, edgeName, to            int // of an edge
}

func (h *head) format() (f format, err error) {
	f.nodes, f.edges = len(h.Meta.NodeFields), len(h.Meta.EdgeFields)
	at := func(list []string, name string) int { return slices.Index(list, name) }
	f.kind, f.name = at(h.Meta.NodeFields, "type"), at(h.Meta.NodeFields, "name")
	f.self, f.count = at(h.Meta.NodeFields, "self_size"), at(h.Meta.NodeFields, "edge_count")
	f.detached = at(h.Meta.NodeFields, "detachedness")
	f.edgeKind, f.edgeName = at(h.Meta.EdgeFields, "type"), at(h.Meta.EdgeFields, "name_or_index")
	f.to = at(h.Meta.EdgeFields, "to_node")
	switch {
	case min(f.kind, f.name, f.self, f.count, f.edgeKind, f.edgeName, f.to) < 0 || f.nodes > 20 || f.edges > 20,
		f.kind >= len(h.Meta.NodeTypes) || json.Unmarshal(h.Meta.NodeTypes[f.kind], &f.nodeTypes) != nil,
		f.edgeKind >= len(h.Meta.EdgeTypes) || json.Unmarshal(h.Meta.EdgeTypes[f.edgeKind], &f.edgeTypes) != nil,
		len(f.nodeTypes) > 200 || len(f.edgeTypes) > 200,
		h.Nodes < 1 || h.Edges < 0:
		return f, errForm
	case h.Nodes > MaxNodes || h.Edges > MaxEdges:
		return f, fmt.Errorf("%w: %d objects with %d references, and %d with %d is the most",
			ErrTooLarge, h.Nodes, h.Edges, MaxNodes, MaxEdges)
	}
	return f, nil
}

// read reads a snapshot. V8 writes its members in this order: its format, the nodes, the
// edges, others, and last the strings.
func read(r io.Reader, mask func(string) string) (*graph, *names, error) {
	in := &scanner{Reader: bufio.NewReaderSize(r, 256<<10)}
	g, err := in.nodesAndEdges()
	if err != nil {
		return nil, nil, err
	}
	g.weigh()
	g.findTrees()
	n := newNames(g, mask)
	in.strings(n)
	return g, n, in.err
}

func (in *scanner) nodesAndEdges() (*graph, error) {
	in.member('{', "snapshot")
	var h head
	if raw := in.object(); json.Unmarshal(raw, &h) != nil {
		in.fail(errForm)
	}
	if in.err != nil {
		return nil, in.err
	}
	f, err := h.format()
	if err != nil {
		return nil, err
	}
	g := newGraph(f, h.Nodes, h.Edges)
	in.member(',', "nodes")
	in.numbers(f.nodes, h.Nodes, g.addNode)
	in.member(',', "edges")
	in.numbers(f.edges, h.Edges, g.addEdge)
	if int(g.first[len(g.kind)]) != len(g.to) { // some edges of the nodes are missing
		in.fail(errForm)
	}
	return g, in.err
}

// scanner reads the JSON of a snapshot. It keeps its first error, and what it reads after
// that means nothing.
type scanner struct {
	*bufio.Reader
	err error
}

// fail notes an error. An end in the middle is a matter of the format.
func (in *scanner) fail(err error) {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errForm
	}
	in.err = cmp.Or(in.err, err)
}

func (in *scanner) byte() byte {
	b, err := in.ReadByte()
	if err != nil {
		in.fail(err)
	}
	return b
}

// next is the next byte that is no white space.
func (in *scanner) next() byte {
	b := in.byte()
	for isSpace(b) {
		b = in.byte()
	}
	return b
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\r' || b == '\t' }

func (in *scanner) expect(want byte) {
	if in.next() != want {
		in.fail(errForm)
	}
}

// member reads the name of a member, which must be that one.
func (in *scanner) member(before byte, name string) {
	if in.memberName(before) != name {
		in.fail(errForm)
	}
}

func (in *scanner) memberName(before byte) string {
	in.expect(before)
	in.expect('"')
	name := in.text(true)
	in.expect(':')
	return string(name)
}

// text reads a string whose first quote has been read. It returns its beginning, with
// escapes as they are, or nothing.
func (in *scanner) text(keep bool) (kept []byte) {
	for in.err == nil {
		b := in.byte()
		if b == '"' {
			break
		}
		escape := []byte{b, 0, 0, 0, 0, 0}[:1]
		if b == '\\' {
			escape = in.escape(escape)
		}
		if keep = keep && len(kept)+len(escape) <= maxText; keep {
			kept = append(kept, escape...)
		}
	}
	return kept
}

// escape reads what follows a backslash.
func (in *scanner) escape(e []byte) []byte {
	for n := 2; len(e) < n; {
		if e = append(e, in.byte()); len(e) == 2 && e[1] == 'u' {
			n = 6
		}
	}
	return e
}

// object reads the text of an object of bounded length.
func (in *scanner) object() []byte {
	in.expect('{')
	whole := []byte{'{'}
	for depth, text := 1, false; depth > 0 && in.err == nil; {
		b := in.byte()
		switch whole = append(whole, b); {
		case len(whole) > maxHead || text && b == '\\':
			in.fail(errForm) // V8's own names have no escapes
		case b == '"':
			text = !text
		case text:
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			depth--
		}
	}
	return whole
}

// numbers reads an array of records of whole numbers, of fields each. add reports whether
// a record is valid.
func (in *scanner) numbers(fields, records int, add func([]int64) bool) {
	in.expect('[')
	if records == 0 {
		in.expect(']')
		return
	}
	record := make([]int64, 0, fields)
	for end := false; !end && in.err == nil; {
		n, after := in.number()
		if record = append(record, n); len(record) == fields {
			if records--; records < 0 || !add(record) {
				in.fail(errForm)
			}
			record = record[:0]
		}
		end = after == ']'
	}
	if records != 0 || len(record) != 0 {
		in.fail(errForm)
	}
}

// number reads a whole number, and what comes after it.
func (in *scanner) number() (n int64, after byte) {
	b := in.next()
	digits := 0
	for ; b >= '0' && b <= '9' && n <= math.MaxInt64/100; digits++ {
		n = n*10 + int64(b-'0')
		b = in.byte()
	}
	if isSpace(b) {
		b = in.next()
	}
	if digits == 0 || b != ',' && b != ']' {
		in.fail(errForm)
	}
	return n, b
}

// strings passes over the members before the strings, and gives take each string that it
// needs.
func (in *scanner) strings(take *names) {
	for in.err == nil {
		name := in.memberName(',')
		in.expect('[')
		if name == "strings" {
			in.list(take)
			in.expect('}')
			return
		}
		in.skipArray()
	}
}

// skipArray passes over the rest of an array.
func (in *scanner) skipArray() {
	for depth := 1; depth > 0 && in.err == nil; {
		switch in.byte() {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '"':
			in.text(false)
		}
	}
}

func (in *scanner) list(take *names) {
	for i := 0; in.err == nil; i++ {
		switch b := in.next(); {
		case b == ']' && i == 0:
			return
		case b != '"':
			in.fail(errForm)
		}
		raw := in.text(take.needs(i))
		if take.needs(i) {
			take.put(i, plain(raw))
		}
		switch in.next() {
		case ']':
			return
		case ',':
		default:
			in.fail(errForm)
		}
	}
}

// plain is a string without its escapes.
func plain(raw []byte) string {
	var s string
	if json.Unmarshal([]byte(`"`+string(raw)+`"`), &s) != nil {
		return strconv.Quote(string(raw))
	}
	return s
}
