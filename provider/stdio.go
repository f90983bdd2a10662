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

// Stdio serves the plain dialect, JSON-RPC 2.0 and MCP on pairs of streams, with one
// line for each message.
type Stdio struct {
	Table   *Table
	Pages   Pages  // nil if no tool has pages
	MaxLine int    // bytes; 0 means DefaultMaxLine
	Strict  bool   // stop at the first error
	Profile string // the profile that MCP lists; "" means "core"
	Version string // of the server, for MCP
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
	plain, rpc *Emitter // for requests in that dialect
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
	r.mcp = newMCPBridge(ctx, s.Table, s.Profile, s.Version, r.lanes.send)
	send := func(line []byte) error {
		r.lanes.send(line)
		return ctx.Err()
	}
	r.plain = &Emitter{Connection: ctx, Key: r, Emit: func(event json.RawMessage) error { return send(event) }}
	r.rpc = &Emitter{Connection: ctx, Key: r, Emit: func(event json.RawMessage) error { return send(Notification(event)) }}
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
			e := Errorf(KindLimit, "a line of over %d bytes was refused", s.MaxLine).WithHint("raise --max-line, or send less at once")
			s.submit(len(line), &Message{RPC: looksLikeRPC(line), Err: e})
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
