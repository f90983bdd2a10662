package provider

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// DefaultMaxLine is the longest line that is read, in bytes.
const DefaultMaxLine = 16 << 20

// Stdio serves the plain dialect, JSON-RPC 2.0 and MCP on one pair of streams,
// a line each way.
type Stdio struct {
	Table   *Table
	Pages   Pages  // nil where no tool knows pages
	MaxLine int    // bytes; 0 means DefaultMaxLine
	Strict  bool   // stop at the first error
	Profile string // what MCP lists; "" means "core"
	Version string // of the server, for MCP

	lanes *Lanes
	mcp   *mcpBridge
	ctx   context.Context // of the stream
}

// onePage is the order of a table whose tools know no pages.
type onePage struct{}

func (onePage) Active() string    { return "" }
func (onePage) Known(string) bool { return true }

// Serve answers every line of in on out until in ends, ctx ends, or the output
// is gone. It reports whether any reply was an error. Everything that was read
// has been answered when it returns, unless ctx ended or Strict stopped it.
func (s *Stdio) Serve(ctx context.Context, in io.Reader, out io.Writer) (failed bool, err error) {
	if s.MaxLine <= 0 {
		s.MaxLine = DefaultMaxLine
	}
	if s.Pages == nil {
		s.Pages = onePage{}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	stopped := make(chan struct{})
	s.lanes = newLanes(s.Pages, out, s.Strict, func() { close(stopped); cancel() })
	s.mcp = newMCPBridge(ctx, s.Table, s.Profile, s.Version, s.lanes.send)
	ended := make(chan error, 1)
	go func() { ended <- s.read(ctx, in) }()
	select {
	case err = <-ended:
		if err != nil {
			err = fmt.Errorf("reading requests: %w", err)
		}
	case <-stopped:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	drained := make(chan struct{})
	var werr error
	go func() { failed, werr = s.lanes.drain(); close(drained) }()
	select {
	case <-drained:
	case <-ctx.Done(): // a signal, or the stop that drain is about to see
		select {
		case <-stopped:
			<-drained
		default:
			return false, ctx.Err()
		}
	}
	if werr != nil {
		err = fmt.Errorf("writing replies: %w", werr)
	}
	return failed, err
}

// read takes lines until the input ends.
func (s *Stdio) read(ctx context.Context, in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	if bom, _ := r.Peek(3); string(bom) == "\xef\xbb\xbf" {
		_, _ = r.Discard(3)
	}
	for {
		line, long, err := readLine(r, s.MaxLine)
		switch {
		case long:
			e := Errorf(KindLimit, "a line of over %d bytes was refused", s.MaxLine).WithHint("raise --max-line, or send less at once")
			s.submit(ctx, len(line), &message{rpc: looksLikeRPC(line), err: e})
		case len(bytes.TrimSpace(line)) > 0:
			s.take(ctx, bytes.TrimSpace(line))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine reads up to a line feed. Of a line over limit bytes it returns the
// beginning and long, and reads on to its end without holding it.
func readLine(r *bufio.Reader, limit int) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !long {
			if len(line)+len(bytes.TrimRight(part, "\r\n")) > limit {
				long = true
				line = append([]byte(nil), line[:min(len(line), 4096)]...)
				line = append(line, part[:min(len(part), 4096)]...)
			} else {
				line = append(line, part...)
			}
		}
		if err != bufio.ErrBufferFull {
			return line, long, err
		}
	}
}

// take sniffs what a line is and queues it.
func (s *Stdio) take(ctx context.Context, line []byte) {
	if err := checkJSON(line); err != nil {
		s.submit(ctx, len(line), s.Table.broken(line, err))
		return
	}
	if line[0] == '[' {
		s.takeBatch(ctx, line)
		return
	}
	m := s.Table.parse(line)
	if s.control(m) {
		return
	}
	s.submit(ctx, len(line), m)
}

// control answers what must not wait in a queue: cancellations, and the
// housekeeping of MCP. It reports whether the message was one of these.
func (s *Stdio) control(m *message) bool {
	if m.err != nil {
		return false
	}
	if id, ok := cancelled(m); ok {
		found := s.lanes.cancel(id)
		if m.method == "notifications/cancelled" || m.method == "$/cancelRequest" && m.notify {
			return true
		}
		if r := m.reply(encode(found), nil); r.line != nil {
			s.lanes.send(r.line)
		}
		return true
	}
	if m.rpc && (m.response || isMCP(m.method)) && m.method != "tools/call" {
		done := func() {}
		if !m.notify && !m.response {
			done = s.lanes.expect()
		}
		s.mcp.forward(m, func(r reply) {
			if r.line != nil {
				s.lanes.send(r.line)
			}
			done()
		})
		return true
	}
	return false
}

// cancelled returns the id that a message takes back. A cancel without a
// usable id is left to be answered as bad arguments.
func cancelled(m *message) (json.RawMessage, bool) {
	key := map[string]string{"cancel": "id", "$/cancelRequest": "id", "notifications/cancelled": "requestId"}[m.method]
	if key == "" || m.method != "cancel" && !m.rpc {
		return nil, false
	}
	if list, err := splitArray(m.params); err == nil && len(list) == 1 {
		return list[0], true
	}
	o, err := splitObject(m.params)
	if err != nil || o.get(key) == nil {
		return nil, false
	}
	return o.get(key), true
}

// submit queues one message.
func (s *Stdio) submit(ctx context.Context, size int, m *message) {
	j := &job{size: size, touches: []touch{s.Table.touch(m)}}
	if m.id != nil {
		j.ids = []json.RawMessage{m.id}
	}
	j.run = func(ctx context.Context) reply { return s.run(ctx, m) }
	j.cancelled = func() reply {
		return m.reply(nil, &Error{Kind: KindCancelled, Msg: m.name() + ": cancelled"})
	}
	s.lanes.submit(ctx, j)
}

// takeBatch queues an array of requests as one job. Each member is answered in
// its own dialect; one that is no object in JSON-RPC's, unless the batch holds
// a plain request.
func (s *Stdio) takeBatch(ctx context.Context, line []byte) {
	list, _ := splitArray(line)
	var batch []*message
	rpc, anyRPC := true, false
	for _, raw := range list {
		m := s.Table.parse(raw)
		rpc = rpc && (m.rpc || jsonType(raw) != "an object")
		anyRPC = anyRPC || m.rpc
		batch = append(batch, m)
	}
	if len(batch) == 0 {
		s.submit(ctx, len(line), &message{rpc: true, err: Errorf(KindInvalid, "invalid request: an empty batch")})
		return
	}
	j := &job{size: len(line)}
	for i, m := range batch {
		// What is no request in any dialect is answered in that of its
		// neighbours.
		if jsonType(list[i]) != "an object" {
			m.rpc = rpc
		} else if m.err != nil && m.method == "" {
			m.rpc = m.rpc || anyRPC
		}
		j.touches = append(j.touches, s.Table.touch(m))
	}
	j.run = func(ctx context.Context) reply { return s.runBatch(ctx, batch) }
	s.lanes.submit(ctx, j)
}

// runBatch runs the members in order and answers them by one array; none if
// there is nothing to answer. In strict mode the first error ends it.
func (s *Stdio) runBatch(ctx context.Context, batch []*message) reply {
	var all reply
	for _, m := range batch {
		var r reply
		if id, ok := cancelled(m); ok && m.err == nil {
			r = m.reply(encode(s.lanes.cancel(id)), nil)
		} else {
			r = s.run(ctx, m)
		}
		all.failed = all.failed || r.failed
		if r.line != nil {
			if all.line == nil {
				all.line = []byte{'['}
			} else {
				all.line = append(all.line, ',')
			}
			all.line = append(all.line, r.line...)
		}
		if r.failed && s.Strict {
			break
		}
	}
	if all.line != nil {
		all.line = append(all.line, ']')
	}
	return all
}

// run answers one message.
func (s *Stdio) run(ctx context.Context, m *message) reply {
	if m.err != nil {
		return m.reply(nil, m.err)
	}
	if m.response || m.rpc && isMCP(m.method) {
		return s.mcp.call(ctx, m)
	}
	if m.method == "cancel" || m.method == "$/cancelRequest" {
		return m.reply(nil, Errorf(KindArgs, "%s: missing parameter \"id\" (of the request to take back)", m.method))
	}
	if err := ctx.Err(); err != nil {
		return m.reply(nil, err)
	}
	result, err := s.Table.Call(WithEmitter(ctx, s.emitter(m.rpc)), m.request)
	return m.reply(result.JSON, err)
}

// emitter sends events as lines of their own, in the dialect of who subscribed.
func (s *Stdio) emitter(rpc bool) *Emitter {
	return &Emitter{Connection: s.ctx, Key: s, Emit: func(event json.RawMessage) error {
		if rpc {
			event = notification(event)
		}
		s.lanes.send(event)
		return s.ctx.Err()
	}}
}

// touch tells the lanes what a message does to the order.
func (t *Table) touch(m *message) touch {
	if m.err != nil {
		return touch{effect: Reads}
	}
	name, page, params := m.method, m.request.Page, m.params
	if m.rpc && name == "tools/call" {
		o, _ := splitObject(params)
		_ = json.Unmarshal(o.get("name"), &name)
		params = o.get("arguments")
	}
	tool := t.Find(name)
	if tool == nil {
		return touch{page: page, effect: Reads}
	}
	to := touch{page: page, effect: tool.Effect}
	named, err := tool.named(params)
	if err != nil {
		return to
	}
	if raw := named.get("page"); raw != nil && !tool.has("page") {
		_ = json.Unmarshal(raw, &to.page)
	}
	if raw := named.get(tool.Target); tool.Target != "" && raw != nil {
		_ = json.Unmarshal(raw, &to.target)
	}
	return to
}

// name is what an error calls the message.
func (m *message) name() string {
	if m.method == "tools/call" {
		var p struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(m.params, &p) == nil && p.Name != "" {
			return p.Name
		}
	}
	return m.method
}
