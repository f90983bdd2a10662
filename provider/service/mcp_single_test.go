package service_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestMCPWithoutSessions: a client of revision 2026-07-28 works without initialize and
// without Mcp-Session-Id, in the session that each call names.
func TestMCPWithoutSessions(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	c := pipetest.MCP{Service: svc, Name: "curl"}
	a, _, head := c.Ask("server/discover", nil)
	if pipetest.Has(t, strings.Join(a.Result.Supported, " "), "2026-07-28", "2025-11-25"); head.Get("Mcp-Session-Id") != "" {
		t.Errorf("a session of the protocol: %v", head)
	}
	a, _, _ = c.Ask("tools/list", nil)
	if a.Result.ResultType != "complete" || a.Result.TTLMs <= 0 || a.Result.CacheScope != "private" || len(a.Result.Tools) == 0 {
		t.Errorf("the list: %+v", a.Result)
	}
	for _, tool := range a.Result.Tools {
		if strings.HasPrefix(tool.Name, "help") {
			continue
		}
		if tool.InputSchema.Properties["session"].Header != "Session" {
			t.Errorf("%s takes no session", tool.Name)
		}
	}
	first, second := c.Opens(), c.Opens()
	c.Use("nav", m{"url": "/form", "session": first})
	c.Use("nav", m{"url": "/", "session": second})
	for id, at := range map[string]string{first: "/form", second: "/"} {
		if got := c.Use("url", m{"session": id}).Result.Content[0].Text; got != svc.Site+at {
			t.Errorf("%s is at %s, want %s", id, got, at)
		}
	}
	if text := c.Use("txt", m{"sel": "body", "session": first}).Result.Content[0].Text; text == "" {
		t.Error("no text")
	}
	if shot := c.Use("screenshot", m{"session": first}).Result.Content[0]; shot.Type != "image" || shot.MIMEType != "image/png" || shot.Data == "" {
		t.Errorf("the picture: %.200v", shot)
	}
	for _, id := range []string{first, second} {
		c.Use("session.close", m{"session_id": id})
	}
	if a := c.Use("url", m{"session": first}); !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "it was closed") {
		t.Errorf("a closed session: %+v", a.Result)
	}
}

// TestMCPOwners: calls without a session share one per key and client name; the first
// reply names it. Another client name gets another session. Using a given session
// takes its id.
func TestMCPOwners(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestMCPWithoutSessions is quick")
	t.Parallel()
	svc := pipetest.StartService(t)
	ann, also, bob := pipetest.MCP{Service: svc, Name: "ann"}, pipetest.MCP{Service: svc, Name: "ann"}, pipetest.MCP{Service: svc, Name: "bob"}
	opened := ann.Use("nav", m{"url": "/form"}).Result.Content
	id, found := strings.CutPrefix(opened[len(opened)-1].Text, "session: ")
	if !found {
		t.Fatalf("the first call says of no session: %+v", opened)
	}
	bob.Use("nav", m{"url": "/"})
	for _, c := range []pipetest.MCP{ann, also} {
		if got := c.Use("url", m{}).Result.Content; len(got) != 1 || got[0].Text != svc.Site+"/form" {
			t.Errorf("%s: %+v", c.Name, got)
		}
	}
	if got := ann.Use("url", m{"session": id}).Result.Content[0].Text; got != svc.Site+"/form" {
		t.Errorf("by its id: %s", got)
	}
	if got := bob.Use("url", m{}).Result.Content[0].Text; got != svc.Site+"/" {
		t.Errorf("bob is at %s", got)
	}
	mine := ann.Opens()
	if got := ann.Use("url", m{}, "X-Session-Id: "+mine).Result.Content[0].Text; got != "about:blank" {
		t.Errorf("by the header: %s", got)
	}
	for _, guess := range []string{id[:len(id)-1] + "x", "ann", "../" + id, strings.ToUpper(id)} {
		if a := bob.Use("url", m{"session": guess}); !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "no session") {
			t.Errorf("%q: %+v", guess, a.Result)
		}
	}
	if a := bob.Use("url", m{"session": id, "session_id": id}); !a.Result.IsError {
		t.Errorf("named twice: %+v", a.Result)
	}
	// The headers that a balancer saw must agree with the call.
	call := m{"name": "url", "arguments": m{"session": id}}
	for _, headers := range [][]string{{"Mcp-Name: url"}, {"Mcp-Name: url", "Mcp-Param-Session: " + mine}, {"Mcp-Name: nav", "Mcp-Param-Session: " + id}} {
		if a, status, _ := bob.Ask("tools/call", call, headers...); status != http.StatusBadRequest || a.Error == nil || a.Error.Code != -32020 {
			t.Errorf("%v: %d %+v", headers, status, a)
		}
	}
}

// TestMCPBothEras: the SDK's client works in both versions on one endpoint.
func TestMCPBothEras(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		ss := connectAs(t, svc, version)
		if got := ss.InitializeResult().ProtocolVersion; got != version {
			t.Errorf("the revision is %s, want %s", got, version)
		}
		if _, err := ss.ListTools(context.Background(), &mcp.ListToolsParams{}); err != nil {
			t.Fatal(err)
		}
		use(t, ss, "nav", m{"url": "/form"})
		if got, failed := use(t, ss, "url", nil); failed || got != svc.Site+"/form" {
			t.Errorf("%s: %s", version, got)
		}
	}
}
