package service

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// tool is POST /tools/{name}, for ilo's HTTP provider and for curl. The body is
// {"args":[...]}, or an object of parameters; a 2xx answer is the bare JSON value.
// Without a session (header x-session-id, query or body session_id) all calls share
// one, so that a program that only knows URLs keeps its page from call to call.
func (s *server) tool(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(w, r)
	if err != nil {
		return
	}
	m, err := s.toolMessage(r, body)
	if err != nil {
		writeError(w, s.Table.MaskError(provider.AsError(err)))
		return
	}
	ctx, cancel := s.callContext(r)
	defer cancel()
	ctx, written := provider.Answering(ctx)
	defer written()
	result, err := s.call(ctx, m, s.shared.of(ctx, s.sessions).id)
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, result.JSON)
}

// toolMessage reads the request of POST /tools/{name}.
func (s *server) toolMessage(r *http.Request, body []byte) (*provider.Message, error) {
	name := chi.URLParam(r, "name")
	m := &provider.Message{Request: provider.Request{Tool: name}}
	m.Request.Session = namedBy(r)
	if len(body) > 0 {
		if err := rawjson.Check(body); err != nil {
			return nil, provider.Errorf(provider.KindParse, "parse error: %w", err)
		}
		params, err := toolParams(s.Table.Find(name), body)
		if err != nil {
			return nil, err
		}
		m.Request.Params = params
	}
	if tool := s.Table.Find(name); tool != nil && r.URL.Query().Get("timeout") != "" {
		if err := tool.Ask(&m.Request, "timeout", json.RawMessage(r.URL.Query().Get("timeout"))); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// toolParams takes the arguments from {"args":[...]}. Any other object, or an array, is
// the parameters themselves.
func toolParams(tool *provider.Tool, body []byte) (json.RawMessage, error) {
	switch rawjson.TypeOf(body) {
	case "an array":
		return body, nil
	case "an object":
	default:
		return nil, provider.Errorf(provider.KindArgs, `expected {"args":[...]} or an object of parameters, got %s`, rawjson.TypeOf(body))
	}
	o, err := rawjson.Split(body)
	if err != nil {
		return nil, provider.Errorf(provider.KindParse, "parse error: %w", err)
	}
	args := o.Get("args")
	if args == nil || len(o) != 1 || tool != nil && tool.Has("args") && rawjson.TypeOf(args) != "an array" {
		return body, nil
	}
	if rawjson.TypeOf(args) != "an array" && rawjson.TypeOf(args) != "an object" {
		return nil, provider.Errorf(provider.KindArgs, "args: expected an array, got %s", rawjson.TypeOf(args))
	}
	return args, nil
}

// alive is the error of a session that is gone.
func alive(ctx context.Context, sessions provider.Sessions, id string) error {
	_, release, err := sessions.Bind(ctx, id)
	if err == nil {
		release(nil)
	}
	return err
}

// sharedSessions are the shared sessions of clients that name none, one a team.
type sharedSessions struct {
	mu   sync.Mutex
	open map[string]*sharedSession
}

func (s *sharedSessions) of(ctx context.Context, sessions provider.Sessions) *sharedSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	team := provider.TeamFrom(ctx).Name
	own := s.open[team]
	if own == nil {
		if s.open == nil {
			s.open = map[string]*sharedSession{}
		}
		own = &sharedSession{of: sessions}
		s.open[team] = own
	}
	return own
}

// sharedSession is the shared session of clients that name none.
type sharedSession struct {
	of provider.Sessions

	mu      sync.Mutex
	current string
}

// id is the session's id. The session opens when it is first needed, and again after it
// was closed for being idle.
func (s *sharedSession) id(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != "" && alive(ctx, s.of, s.current) == nil {
		return s.current, nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	id, err := s.of.Create(ctx)
	s.current = id
	return id, err
}
