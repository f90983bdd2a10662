package heap

import (
	"bufio"
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
	if min(f.kind, f.name, f.self, f.count, f.edgeKind, f.edgeName, f.to) < 0 || f.nodes > 20 || f.edges > 20 {
		return f, errForm
	}
	if f.kind >= len(h.Meta.NodeTypes) || json.Unmarshal(h.Meta.NodeTypes[f.kind], &f.nodeTypes) != nil ||
		f.edgeKind >= len(h.Meta.EdgeTypes) || json.Unmarshal(h.Meta.EdgeTypes[f.edgeKind], &f.edgeTypes) != nil ||
		len(f.nodeTypes) > 200 || len(f.edgeTypes) > 200 {
		return f, errForm
	}
	if h.Nodes < 1 || h.Edges < 0 {
		return f, errForm
	}
	if h.Nodes > MaxNodes || h.Edges > MaxEdges {
		return f, fmt.Errorf("%w: %d objects with %d references, and %d with %d is the most",
			ErrTooLarge, h.Nodes, h.Edges, MaxNodes, MaxEdges)
	}
	return f, nil
}

// read reads a snapshot. V8 writes its members in this order: its format, the nodes, the
// edges, others, and last the strings.
func read(r io.Reader, mask func(string) string) (*graph, *names, error) {
	in := &scanner{bufio.NewReaderSize(r, 256<<10)}
	g, err := in.nodesAndEdges()
	if err != nil {
		return nil, nil, asForm(err)
	}
	g.weigh()
	g.findTrees()
	n := newNames(g, mask)
	if err := in.strings(n); err != nil {
		return nil, nil, asForm(err)
	}
	return g, n, nil
}

// asForm makes an end in the middle a matter of the format.
func asForm(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errForm
	}
	return err
}

func (in *scanner) nodesAndEdges() (*graph, error) {
	if err := in.member('{', "snapshot"); err != nil {
		return nil, err
	}
	raw, err := in.object()
	if err != nil {
		return nil, err
	}
	var h head
	if json.Unmarshal(raw, &h) != nil {
		return nil, errForm
	}
	f, err := h.format()
	if err != nil {
		return nil, err
	}
	g := newGraph(f, h.Nodes, h.Edges)
	if err := in.member(',', "nodes"); err != nil {
		return nil, err
	}
	if err := in.numbers(f.nodes, h.Nodes, g.addNode); err != nil {
		return nil, err
	}
	if err := in.member(',', "edges"); err != nil {
		return nil, err
	}
	if err := in.numbers(f.edges, h.Edges, g.addEdge); err != nil {
		return nil, err
	}
	return g, g.complete()
}

// scanner reads the JSON of a snapshot.
type scanner struct{ *bufio.Reader }

// next is the next byte that is no white space.
func (in *scanner) next() (byte, error) {
	for {
		b, err := in.ReadByte()
		if err != nil || b != ' ' && b != '\n' && b != '\r' && b != '\t' {
			return b, err
		}
	}
}

func (in *scanner) expect(want byte) error {
	b, err := in.next()
	if err == nil && b != want {
		err = errForm
	}
	return err
}

// member reads the name of a member, which must be that one.
func (in *scanner) member(before byte, name string) error {
	got, err := in.memberName(before)
	if err == nil && got != name {
		err = errForm
	}
	return err
}

func (in *scanner) memberName(before byte) (string, error) {
	if err := in.expect(before); err != nil {
		return "", err
	}
	if err := in.expect('"'); err != nil {
		return "", err
	}
	name, err := in.text(true)
	if err == nil {
		err = in.expect(':')
	}
	return string(name), err
}

// text reads a string whose first quote has been read. It returns its beginning, with
// escapes as they are, or nothing.
func (in *scanner) text(keep bool) (kept []byte, err error) {
	for {
		b, err := in.ReadByte()
		if err != nil || b == '"' {
			return kept, err
		}
		escape := []byte{b, 0, 0, 0, 0, 0}[:1]
		if b == '\\' {
			if escape, err = in.escape(escape); err != nil {
				return nil, err
			}
		}
		if keep = keep && len(kept)+len(escape) <= maxText; keep {
			kept = append(kept, escape...)
		}
	}
}

// escape reads what follows a backslash.
func (in *scanner) escape(e []byte) ([]byte, error) {
	for n := 2; len(e) < n; {
		b, err := in.ReadByte()
		if err != nil {
			return nil, err
		}
		if e = append(e, b); len(e) == 2 && b == 'u' {
			n = 6
		}
	}
	return e, nil
}

// object reads the text of an object of bounded length.
func (in *scanner) object() ([]byte, error) {
	if err := in.expect('{'); err != nil {
		return nil, err
	}
	whole := []byte{'{'}
	for depth, text := 1, false; depth > 0; {
		b, err := in.ReadByte()
		if err != nil {
			return nil, err
		}
		switch whole = append(whole, b); {
		case len(whole) > maxHead || text && b == '\\':
			return nil, errForm // V8's own names have no escapes
		case b == '"':
			text = !text
		case text:
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			depth--
		}
	}
	return whole, nil
}

// numbers reads an array of records of whole numbers, of fields each.
func (in *scanner) numbers(fields, records int, add func([]int64) error) error {
	if err := in.expect('['); err != nil {
		return err
	}
	if records == 0 {
		return in.expect(']')
	}
	record := make([]int64, 0, fields)
	for end := false; !end; {
		n, after, err := in.number()
		if err != nil {
			return err
		}
		if record = append(record, n); len(record) == fields {
			if records--; records < 0 {
				return errForm
			}
			if err := add(record); err != nil {
				return err
			}
			record = record[:0]
		}
		end = after == ']'
	}
	if records != 0 || len(record) != 0 {
		return errForm
	}
	return nil
}

// number reads a whole number, and what comes after it.
func (in *scanner) number() (n int64, after byte, err error) {
	b, err := in.next()
	if err != nil {
		return 0, 0, err
	}
	digits := 0
	for ; b >= '0' && b <= '9'; digits++ {
		if n > math.MaxInt64/100 {
			return 0, 0, errForm
		}
		n = n*10 + int64(b-'0')
		if b, err = in.ReadByte(); err != nil {
			return 0, 0, err
		}
	}
	if b != ',' && b != ']' {
		if b != ' ' && b != '\n' && b != '\r' && b != '\t' {
			return 0, 0, errForm
		}
		if b, err = in.next(); err != nil {
			return 0, 0, err
		}
	}
	if digits == 0 || b != ',' && b != ']' {
		return 0, 0, errForm
	}
	return n, b, nil
}

// strings passes over the members before the strings, and gives take each string that it
// needs.
func (in *scanner) strings(take *names) error {
	for {
		name, err := in.memberName(',')
		if err != nil {
			return err
		}
		if err := in.expect('['); err != nil {
			return err
		}
		if name == "strings" {
			if err := in.list(take); err != nil {
				return err
			}
			return in.expect('}')
		}
		if err := in.skipArray(); err != nil {
			return err
		}
	}
}

// skipArray passes over the rest of an array.
func (in *scanner) skipArray() error {
	for depth := 1; depth > 0; {
		b, err := in.ReadByte()
		if err != nil {
			return err
		}
		switch b {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '"':
			if _, err := in.text(false); err != nil {
				return err
			}
		}
	}
	return nil
}

// list reads the strings.
func (in *scanner) list(take *names) error {
	for i := 0; ; i++ {
		b, err := in.next()
		if err == nil && b == ']' && i == 0 {
			return nil
		}
		if err == nil && b != '"' {
			err = errForm
		}
		if err != nil {
			return err
		}
		raw, err := in.text(take.needs(i))
		if err != nil {
			return err
		}
		if take.needs(i) {
			take.put(i, plain(raw))
		}
		if b, err = in.next(); err != nil {
			return err
		}
		if b == ']' {
			return nil
		}
		if b != ',' {
			return errForm
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
