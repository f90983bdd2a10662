package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// DefaultMaxLine is the longest line that is read, in bytes.
const DefaultMaxLine = 16 << 20

// Stdio serves the plain dialect, JSON-RPC 2.0 and MCP on pairs of streams, with one
// line for each message.
type Stdio struct {
	Table   *provider.Table
	Pages   Pages                              // nil if no tool has pages
	MaxLine int                                // bytes; 0 means DefaultMaxLine
	Strict  bool                               // stop at the first error
	Profile string                             // the profile that MCP lists; "" means "core"
	Version string                             // of the server, for MCP
	Extend  func(*provider.Table, *mcp.Server) // of MCPOptions
}

// onePage is the Pages of a table whose tools have no pages.
type onePage struct{}

func (onePage) Active() string    { return "" }
func (onePage) Known(string) bool { return true }

// Serve answers every line of in on out until in ends, ctx ends, or the output fails.
// It reports whether any reply was an error. When it returns, everything read has been
// answered, unless ctx ended or Strict stopped it.
func (s *Stdio) Serve(ctx context.Context, in io.Reader, out io.Writer) (failed bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped := make(chan struct{})
	r := newStream(ctx, *s, out, func() { close(stopped); cancel() })
	ended := make(chan error, 1)
	go func() { ended <- r.read(in) }()
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
	go func() { failed, werr = r.lanes.drain(); close(drained) }()
	select {
	case <-drained:
	case <-ctx.Done(): // a signal, or a stop that drain will report
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

// stream is one run of a Stdio.
type stream struct {
	Stdio
	ctx        context.Context // of the stream
	lanes      *Lanes
	mcp        *mcpBridge
	plain, rpc *provider.Emitter // for requests in that dialect
}

// newStream starts the lanes of a stream. stop is called once, when the output fails
// or, in strict mode, after the first error.
func newStream(ctx context.Context, s Stdio, out io.Writer, stop func()) *stream {
	if s.MaxLine <= 0 {
		s.MaxLine = DefaultMaxLine
	}
	if s.Pages == nil {
		s.Pages = onePage{}
	}
	r := &stream{Stdio: s, ctx: ctx, lanes: newLanes(s.Pages, out, s.Strict, stop)}
	o := MCPOptions{Profile: s.Profile, Version: s.Version, Extend: s.Extend}
	r.mcp = newMCPBridge(ctx, s.Table, o, r.lanes.send)
	send := func(line []byte) error {
		r.lanes.send(line)
		return ctx.Err()
	}
	emit := func(event json.RawMessage) error { return send(event) }
	notify := func(event json.RawMessage) error { return send(Notification(event)) }
	r.plain = &provider.Emitter{Connection: ctx, Key: r, Emit: emit}
	r.rpc = &provider.Emitter{Connection: ctx, Key: r, Emit: notify}
	return r
}

// read takes lines until the input ends.
func (s *stream) read(in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	if bom, _ := r.Peek(3); string(bom) == "\xef\xbb\xbf" {
		_, _ = r.Discard(3)
	}
	for {
		line, long, err := readLine(r, s.MaxLine)
		switch {
		case long:
			e := provider.Errorf(provider.KindLimit, "a line of over %d bytes was refused", s.MaxLine).
				WithHint("raise --max-line, or send less at once")
			s.submit(len(line), &provider.Message{RPC: provider.LooksLikeRPC(line), Err: e})
		case len(bytes.TrimSpace(line)) > 0:
			s.take(bytes.TrimSpace(line))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine reads up to a line feed. Of a line over limit bytes it returns the beginning
// and long, and reads to the line's end without keeping it.
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

// take finds out what a line is and queues it.
func (s *stream) take(line []byte) {
	if err := rawjson.Check(line); err != nil {
		s.submit(len(line), s.Table.Broken(line, err))
		return
	}
	if line[0] == '[' {
		s.takeBatch(line)
		return
	}
	m := s.Table.Parse(line)
	if s.control(m) {
		return
	}
	s.submit(len(line), m)
}

// control answers messages that must not wait in a queue: cancellations, and MCP's own
// messages. It reports whether the message was one of these.
func (s *stream) control(m *provider.Message) bool {
	if m.Err != nil {
		return false
	}
	method := m.Request.Tool
	if id, ok := m.Cancels(); ok {
		found := s.lanes.cancel(id)
		if method == "notifications/cancelled" || method == "$/cancelRequest" && m.Notify {
			return true
		}
		s.send(ReplyTo(m, rawjson.Encode(found), nil))
		return true
	}
	if !m.Response && (!m.IsMCP() || method == "tools/call") {
		return false
	}
	done := func() {}
	if !m.Notify && !m.Response {
		done = s.lanes.expect()
	}
	s.mcp.forward(m, func(r Reply) {
		s.send(r)
		done()
	})
	return true
}

// send writes a reply outside of any lane.
func (s *stream) send(r Reply) {
	if r.Line != nil {
		s.lanes.send(r.Line)
	}
}

// submit queues one message.
func (s *stream) submit(size int, m *provider.Message) {
	j := &job{size: size, touches: []provider.Touch{s.Table.Touch(m)}}
	if m.ID != nil {
		j.ids = []json.RawMessage{m.ID}
	}
	j.run = func(ctx context.Context) Reply { return s.run(ctx, m) }
	j.cancelled = func() Reply {
		return ReplyTo(m, nil, &provider.Error{Kind: provider.KindCancelled, Msg: m.Name() + ": cancelled"})
	}
	s.lanes.submit(s.ctx, j)
}

// takeBatch queues an array of requests as one job. Each member is answered in its own
// dialect. A member that is no object is answered in JSON-RPC, unless the batch has a
// plain request.
func (s *stream) takeBatch(line []byte) {
	list, _ := rawjson.SplitArray(line)
	var batch []*provider.Message
	rpc, anyRPC := true, false
	for _, raw := range list {
		m := s.Table.Parse(raw)
		rpc = rpc && (m.RPC || rawjson.TypeOf(raw) != "an object")
		anyRPC = anyRPC || m.RPC
		batch = append(batch, m)
	}
	if len(batch) == 0 {
		e := provider.Errorf(provider.KindInvalid, "invalid request: an empty batch")
		s.submit(len(line), &provider.Message{RPC: true, Err: e})
		return
	}
	j := &job{size: len(line)}
	for i, m := range batch {
		// An invalid member is answered in the dialect of the other members.
		if rawjson.TypeOf(list[i]) != "an object" {
			m.RPC = rpc
		} else if m.Err != nil && m.Request.Tool == "" {
			m.RPC = m.RPC || anyRPC
		}
		j.touches = append(j.touches, s.Table.Touch(m))
	}
	j.run = func(ctx context.Context) Reply { return s.runBatch(ctx, batch) }
	s.lanes.submit(s.ctx, j)
}

// runBatch runs the members in order and answers them with one array. In strict mode
// the first error ends it.
func (s *stream) runBatch(ctx context.Context, batch []*provider.Message) Reply {
	var all []Reply
	for _, m := range batch {
		var r Reply
		if id, ok := m.Cancels(); ok {
			r = ReplyTo(m, rawjson.Encode(s.lanes.cancel(id)), nil)
		} else {
			r = s.run(ctx, m)
		}
		all = append(all, r)
		if r.Failed && s.Strict {
			break
		}
	}
	return Join(all)
}

// run answers one message.
func (s *stream) run(ctx context.Context, m *provider.Message) Reply {
	if m.Err != nil {
		return ReplyTo(m, nil, m.Err)
	}
	if m.Response || m.IsMCP() {
		return s.mcp.call(ctx, m)
	}
	if method := m.Request.Tool; method == "cancel" || method == "$/cancelRequest" {
		e := provider.Errorf(provider.KindArgs, "%s: missing parameter \"id\" (of the request to take back)", method)
		return ReplyTo(m, nil, e)
	}
	if err := ctx.Err(); err != nil {
		return ReplyTo(m, nil, err)
	}
	emitter := s.plain
	if m.RPC {
		emitter = s.rpc
	}
	result, err := s.Table.Call(provider.WithEmitter(ctx, emitter), m.Request)
	return ReplyTo(m, result.JSON, err)
}
