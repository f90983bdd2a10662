//go:build unix

package scale

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestBalancerMCP: a client of MCP's revision 2026-07-28, which keeps nothing between
// requests, has its sessions on three services in turns, and each call comes to the
// service of the session that it names. Without one it comes to the same each time.
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
	if of["pwpipe-0"] != 2 || of["pwpipe-1"] != 2 || of["pwpipe-2"] != 2 {
		t.Errorf("sessions of services: %v", of)
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
