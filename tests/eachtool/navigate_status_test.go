package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNavOK: a page that the server answers with an error fails where it was asked to, and only there.
func TestNavOK(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", pipetest.Object{"url": "/status/404"})
	p.Call("nav", pipetest.Object{"url": "/login", "ok": true})
	p.Call("nav", pipetest.Object{"url": "about:blank", "ok": true})
	p.Complains("/status/404 answered with status 404; the page shows what came with it", "nav", pipetest.Object{"url": "/status/404", "ok": true})
	p.Complains("answered with status 500", "nav", pipetest.Object{"url": "/status/500", "ok": true})
	pipetest.Has(t, p.Text("url", nil), "/status/500")
}

// TestStrictStatus: with --strict-status each nav does so, and with --strict the first one ends the run.
func TestStrictStatus(t *testing.T) {
	t.Parallel()
	const lines = `{"id":1,"method":"nav","params":["/login"]}` + "\n" +
		`{"id":2,"method":"nav","params":["/status/404"]}` + "\n" + `{"id":3,"method":"title"}` + "\n"
	out, _, status := pipetest.Run(t, lines, "--site", "--strict", "--strict-status")
	pipetest.Has(t, out, `{"id":1,"result":null}`, `{"id":2,"error":"nav: `, "answered with status 404")
	pipetest.Lacks(t, out, `"id":3`)
	if status != 1 {
		t.Errorf("status %d", status)
	}
}
