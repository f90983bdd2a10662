package watch_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestAskThroughClient: a client of MCP 2026-07-28 that can ask its person gets a
// question with a link to the session's live view, and repeats the call with the
// answer. Other clients wait as before.
func TestAskThroughClient(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestService is quick")
	s := service(t)
	c := pipetest.MCP{Service: s, Name: "host", Can: m{"elicitation": m{"url": m{}}}}
	id := c.Opens()
	t.Cleanup(func() { s.Call("session.close", m{"session_id": id}) })
	c.Use("nav", m{"url": "/login", "session": id})
	args := m{"message": "log in, please", "session": id}
	call := func(c pipetest.MCP, more m) pipetest.MCPAnswer {
		t.Helper()
		params := m{"name": "ask-person", "arguments": args}
		for k, v := range more {
			params[k] = v
		}
		a, status, _ := c.Ask("tools/call", params, "Mcp-Name: ask-person", "Mcp-Param-Session: "+id)
		if status != 200 || a.Error != nil {
			t.Fatalf("%d %+v", status, a.Error)
		}
		return a
	}
	says := func(action string, a pipetest.MCPAnswer) m {
		return m{"requestState": a.Result.RequestState, "inputResponses": m{"person": m{"action": action}}}
	}
	asked := call(c, nil)
	q := asked.Result.Inputs["person"]
	if asked.Result.ResultType != "input_required" || q.Method != "elicitation/create" || q.Params.Mode != "url" || q.Params.Message != "log in, please" || len(asked.Result.Content) != 0 {
		t.Fatalf("%+v", asked.Result)
	}
	// After a login the link leads to the session.
	p := person{pipetest.Shared(t), s.URL}
	p.Call("nav", m{"url": q.Params.URL})
	p.Call("fill", m{"sel": "#key", "val": s.Key})
	p.Call("click", m{"sel": "text=Log in >> nth=-1"})
	p.until("document.querySelector('#asks').textContent.includes('log in, please')")
	done := make(chan pipetest.MCPAnswer, 1)
	go func() { done <- call(c, says("accept", asked)) }()
	p.Call("click", m{"sel": "#take"})
	p.until("document.querySelector('#standing').textContent.startsWith('You have it')")
	p.Call("click", m{"sel": "#take"})
	if a := <-done; a.Result.ResultType != "complete" || a.Result.IsError || a.Result.Content[0].Text != "done" {
		t.Errorf("handed back: %+v", a.Result)
	}
	closed := func(more m) {
		t.Helper()
		if a := call(c, more); !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "question is closed") {
			t.Errorf("%v: %+v", more, a.Result)
		}
	}
	closed(says("accept", asked))
	closed(m{"requestState": "guessed", "inputResponses": m{"person": m{"action": "accept"}}})
	// A person refuses in the client. A client without an answer yet is asked again.
	asked = call(c, nil)
	again := call(c, m{"requestState": asked.Result.RequestState})
	if again.Result.RequestState != asked.Result.RequestState || again.Result.Inputs["person"].Params.URL != q.Params.URL {
		t.Errorf("again: %+v", again.Result)
	}
	if a := call(c, says("decline", asked)); !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "refused by the person") {
		t.Errorf("declined: %+v", a.Result)
	}
	// A client that can only show a form confirms in it.
	c.Can = m{"elicitation": m{}}
	asked = call(c, nil)
	if q := asked.Result.Inputs["person"].Params; q.Mode != "form" || !strings.Contains(q.Message, s.URL+"/#id="+id) {
		t.Errorf("a form: %+v", q)
	}
	if a := call(c, says("accept", asked)); a.Result.IsError || a.Result.Content[0].Text != "done" {
		t.Errorf("accepted: %+v", a.Result)
	}
	p.until("!document.querySelector('#asks').textContent")
	// A client that can't ask waits.
	c.Can = nil
	go func() { done <- call(c, nil) }()
	p.until("document.querySelector('#asks').textContent.includes('log in, please')")
	p.Call("click", m{"sel": "#asks >> text=Refuse"})
	if a := <-done; a.Result.ResultType != "complete" || !a.Result.IsError {
		t.Errorf("waited: %+v", a.Result)
	}
}
