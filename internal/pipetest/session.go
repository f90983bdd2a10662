package pipetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// RPCReply is a reply of JSON-RPC.
type RPCReply struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    struct {
			Kind, Hint string
			RetryAfter int `json:"retry_after"`
		}
	}
}

// Try calls a method over /rpc.
func (s *Service) Try(method string, params map[string]any) RPCReply {
	s.T.Helper()
	request := map[string]any{"jsonrpc": "2.0", "id": 1, "method": method}
	if params != nil {
		request["params"] = params
	}
	body, _ := json.Marshal(request)
	status, text, _ := s.Do("POST", "/rpc", string(body))
	var r RPCReply
	if err := json.Unmarshal([]byte(text), &r); err != nil || status != 200 {
		s.T.Fatalf("%s: status %d, %s", method, status, text)
	}
	return r
}

// Call is Try that must succeed; it decodes the result. Like [Pipe.Call] it has the suite's
// deadline in place of a tool's short one.
func (s *Service) Call(method string, params map[string]any, into ...any) string {
	s.T.Helper()
	if _, given := params["timeout"]; !given && params != nil && patience(method) > 0 {
		params = maps.Clone(params)
		params["timeout"] = patience(method)
	}
	r := s.Try(method, params)
	if r.Error != nil {
		s.T.Fatalf("%s %v: %s", method, params, r.Error.Message)
	}
	for _, v := range into {
		if err := json.Unmarshal(r.Result, v); err != nil {
			s.T.Fatalf("%s: %v in %s", method, err, r.Result)
		}
	}
	return string(r.Result)
}

// Fail is Try that must fail with an error code; it returns the message.
func (s *Service) Fail(code int, method string, params map[string]any) string {
	s.T.Helper()
	r := s.Try(method, params)
	if r.Error == nil {
		s.T.Fatalf("%s %v: expected an error, got %s", method, params, r.Result)
	}
	if r.Error.Code != code {
		s.T.Fatalf("%s: expected error %d, got %d: %s", method, code, r.Error.Code, r.Error.Message)
	}
	return r.Error.Message
}

// Session is a session of the service.
type Session struct {
	*Service
	ID string
}

// created is the answer of session.create.
type created struct {
	ID string `json:"session_id"`
}

// Open opens a session.
func (s *Service) Open(params map[string]any) Session {
	s.T.Helper()
	var out created
	s.Call("session.create", params, &out)
	if !strings.HasPrefix(out.ID, "s_") {
		s.T.Fatalf("session.create: %q is no session id", out.ID)
	}
	s.mu.Lock()
	s.opened = append(s.opened, out.ID)
	s.mu.Unlock()
	return Session{s, out.ID}
}

// On is Call within the session.
func (c Session) On(method string, params map[string]any, into ...any) string {
	c.T.Helper()
	return c.Call(method, c.With(params), into...)
}

// Refuse is Fail within the session.
func (c Session) Refuse(code int, method string, params map[string]any) string {
	c.T.Helper()
	return c.Fail(code, method, c.With(params))
}

// With are params within the session.
func (c Session) With(params map[string]any) map[string]any {
	all := map[string]any{"session_id": c.ID}
	maps.Copy(all, params)
	return all
}

// Said is the whole text of an answer within the session, result or error.
func (c Session) Said(method string, params map[string]any) string {
	c.T.Helper()
	r := c.Try(method, params)
	text := string(r.Result)
	if r.Error != nil {
		text += fmt.Sprintf("%+v", *r.Error)
	}
	return text
}

// Execute runs a script in the session; its value is decoded into result.
func (c Session) Execute(code string, result any) {
	c.T.Helper()
	c.On("execute", Object{"code": code}, &struct{ Result any }{result})
}

// Pages are the handles of the session's pages.
func (c Session) Pages() (handles []string) {
	c.T.Helper()
	var list []struct{ Page string }
	c.On("pages", nil, &list)
	for _, p := range list {
		handles = append(handles, p.Page)
	}
	return handles
}
