//go:build evidence && unix

package scale

import (
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestBalancerMCP: a client of MCP's revision 2026-07-28, which keeps no state, gets
// its sessions on three services in turns. Each call reaches the service of its
// session. Calls without a session always reach the same one.
func TestBalancerMCP(t *testing.T) {
	t.Parallel()
	haproxy(t)
	at := []string{pipetest.FreeAddr(t), pipetest.FreeAddr(t), pipetest.FreeAddr(t)}
	for n, addr := range at {
		startNamed(t, n, addr)
	}
	b := startBalancer(t, "200ms", at...)
	b.ready("pwpipe-0", "pwpipe-1", "pwpipe-2")
	c := pipetest.MCP{Service: b.Service, Name: "curl"}
	var all []string
	of := map[string]int{}
	for range 6 {
		id := c.Opens()
		all = append(all, id)
		of[strings.Split(id, "_")[1]]++
		c.Use("nav", pipetest.Object{"url": b.Site + "/form?of=" + id, "session": id})
	}
	// HAProxy restarts its turns when it finds a place in its list empty.
	if of["pwpipe-0"] == 0 || of["pwpipe-1"] == 0 || of["pwpipe-2"] == 0 {
		t.Errorf("sessions of services: %v", of)
	}
	// A file is read from where it was written, by its URI alone.
	for _, id := range all {
		link := ""
		for _, part := range c.Use("shot", pipetest.Object{"path": filepath.Join(t.TempDir(), "a.png"), "session": id}).Result.Content {
			link += part.URI
		}
		a, _, _ := c.Ask("resources/read", pipetest.Object{"uri": link}, "Mcp-Name: "+link)
		if a.Error != nil || len(a.Result.Contents) != 1 || a.Result.Contents[0].MIMEType != "image/png" {
			t.Errorf("%s of %s: %+v", link, id, a.Error)
		}
	}
	stays := func() {
		t.Helper()
		for _, id := range all {
			for range 2 {
				pipetest.Has(t, c.Use("url", pipetest.Object{"session": id}).Result.Content[0].Text, "/form?of="+id)
			}
		}
	}
	stays()
	b.restart()
	stays()
	b.ready("pwpipe-0", "pwpipe-1", "pwpipe-2")
	c.Use("nav", pipetest.Object{"url": b.Site + "/form?of=nobody"})
	b.Do("POST", "/tools/nav", `{"url":"`+b.Site+`/form?of=program"}`)
	for range 4 {
		pipetest.Has(t, c.Use("url", pipetest.Object{}).Result.Content[0].Text, "/form?of=nobody")
		_, text, _ := b.Do("POST", "/tools/url", "")
		pipetest.Has(t, text, "/form?of=program")
	}
	c.Use("session.close", pipetest.Object{"session_id": all[0]})
	pipetest.Has(t, c.Use("url", pipetest.Object{"session": all[0]}).Result.Content[0].Text, "it was closed")
}
