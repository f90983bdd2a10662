package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
)

// tool is POST /tools/{name}, for ilo's HTTP provider and for anyone with
// curl: the body is {"args":[...]}, or an object of parameters, and a 2xx
// answer is the bare JSON value. Without a session (header x-session-id, query
// or body session_id) the calls of all clients share one, so that a program
// that only knows URLs keeps its page from call to call.
func (s *Service) tool(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(w, r)
	if err != nil {
		return
	}
	m, err := s.toolMessage(r, body)
	if err != nil {
		writeError(w, s.Table.maskError(AsError(err)))
		return
	}
	ctx, cancel := s.callContext(r)
	defer cancel()
	t, err := s.place(ctx, m, s.shared.id)
	if err != nil {
		writeError(w, err)
		return
	}
	result, err := s.run(ctx, t, m.request)
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, result.JSON)
}

// toolMessage reads the request of POST /tools/{name}.
func (s *Service) toolMessage(r *http.Request, body []byte) (*message, error) {
	name := chi.URLParam(r, "name")
	m := &message{method: name, request: Request{Tool: name}}
	m.request.Session = r.Header.Get("X-Session-Id")
	if q := r.URL.Query().Get("session_id"); q != "" {
		m.request.Session = q
	}
	if len(body) > 0 {
		if err := checkJSON(body); err != nil {
			return nil, Errorf(KindParse, "parse error: %w", err)
		}
		params, err := toolParams(s.Table.Find(name), body)
		if err != nil {
			return nil, err
		}
		m.params, m.request.Params = params, params
	}
	if tool := s.Table.Find(name); tool != nil && r.URL.Query().Get("timeout") != "" {
		if err := m.request.set("timeout", json.RawMessage(r.URL.Query().Get("timeout")), tool.TimeoutUnit); err != nil {
			return nil, badArguments(tool, err)
		}
	}
	return m, nil
}

// toolParams takes the arguments out of {"args":[...]}; any other object, or
// an array, is the parameters themselves.
func toolParams(tool *Tool, body []byte) (json.RawMessage, error) {
	switch jsonType(body) {
	case "an array":
		return body, nil
	case "an object":
	default:
		return nil, Errorf(KindArgs, `expected {"args":[...]} or an object of parameters, got %s`, jsonType(body))
	}
	o, err := splitObject(body)
	if err != nil {
		return nil, Errorf(KindParse, "parse error: %w", err)
	}
	args := o.get("args")
	if args == nil || len(o) != 1 || tool != nil && tool.has("args") && jsonType(args) != "an array" {
		return body, nil
	}
	if jsonType(args) != "an array" && jsonType(args) != "an object" {
		return nil, Errorf(KindArgs, "args: expected an array, got %s", jsonType(args))
	}
	return args, nil
}

// sharedSession is the one session of clients that name none.
type sharedSession struct {
	of Sessions

	mu      sync.Mutex
	current string
}

// id is the session's, which is opened when it is first needed, and again
// after it was closed for being idle.
func (s *sharedSession) id(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != "" {
		_, release, err := s.of.Bind(ctx, s.current)
		if err == nil {
			release(nil)
			return s.current, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	id, err := s.of.Create(ctx)
	s.current = id
	return id, err
}
