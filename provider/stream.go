package provider

import (
	"context"
	"encoding/json"

	"pwpipe/provider/internal/rawjson"
)

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
func (s *stream) control(m *Message) bool {
	if m.Err != nil {
		return false
	}
	method := m.Request.Tool
	if id, ok := m.Cancels(); ok {
		found := s.lanes.cancel(id)
		if method == "notifications/cancelled" || method == "$/cancelRequest" && m.Notify {
			return true
		}
		s.send(m.Reply(rawjson.Encode(found), nil))
		return true
	}
	if !m.Response && (!m.isMCP() || method == "tools/call") {
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
func (s *stream) submit(size int, m *Message) {
	j := &job{size: size, touches: []Touch{s.Table.Touch(m)}}
	if m.ID != nil {
		j.ids = []json.RawMessage{m.ID}
	}
	j.run = func(ctx context.Context) Reply { return s.run(ctx, m) }
	j.cancelled = func() Reply {
		return m.Reply(nil, &Error{Kind: KindCancelled, Msg: m.name() + ": cancelled"})
	}
	s.lanes.submit(s.ctx, j)
}

// takeBatch queues an array of requests as one job. Each member is answered in its own
// dialect. A member that is no object is answered in JSON-RPC, unless the batch has a
// plain request.
func (s *stream) takeBatch(line []byte) {
	list, _ := rawjson.SplitArray(line)
	var batch []*Message
	rpc, anyRPC := true, false
	for _, raw := range list {
		m := s.Table.Parse(raw)
		rpc = rpc && (m.RPC || rawjson.TypeOf(raw) != "an object")
		anyRPC = anyRPC || m.RPC
		batch = append(batch, m)
	}
	if len(batch) == 0 {
		s.submit(len(line), &Message{RPC: true, Err: Errorf(KindInvalid, "invalid request: an empty batch")})
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
func (s *stream) runBatch(ctx context.Context, batch []*Message) Reply {
	var all []Reply
	for _, m := range batch {
		var r Reply
		if id, ok := m.Cancels(); ok {
			r = m.Reply(rawjson.Encode(s.lanes.cancel(id)), nil)
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
func (s *stream) run(ctx context.Context, m *Message) Reply {
	if m.Err != nil {
		return m.Reply(nil, m.Err)
	}
	if m.Response || m.isMCP() {
		return s.mcp.call(ctx, m)
	}
	if method := m.Request.Tool; method == "cancel" || method == "$/cancelRequest" {
		return m.Reply(nil, Errorf(KindArgs, "%s: missing parameter \"id\" (of the request to take back)", method))
	}
	if err := ctx.Err(); err != nil {
		return m.Reply(nil, err)
	}
	emitter := s.plain
	if m.RPC {
		emitter = s.rpc
	}
	result, err := s.Table.Call(WithEmitter(ctx, emitter), m.Request)
	return m.Reply(result.JSON, err)
}
