//go:build evidence

package reach

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestServeLendsTabs: one session at a time of a service attached to a Chrome gets the
// open tabs, if it asks for them.
func TestServeLendsTabs(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestAttach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	c.open(site + "/form")
	svc := pipetest.StartService(t, "--cdp="+c.addr, "ALLOW_HOST_REGEX=.*")
	tabs := map[string]any{"tabs": true}
	has := func(s pipetest.Session) bool { return strings.Contains(s.On("pages", nil), "/form") }
	own := svc.Open(nil)
	if has(own) {
		t.Error("a session that did not ask has the tabs")
	}
	first := svc.Open(tabs)
	if !has(first) {
		t.Errorf("the tabs were not lent: %s", first.On("pages", nil))
	}
	pipetest.Has(t, svc.Fail(-32006, "session.create", tabs), "another session has the open tabs")
	first.On("session.close", nil)
	if !has(svc.Open(tabs)) {
		t.Error("tabs that were given back are not lent again")
	}
	pipetest.Has(t, strings.Join(c.tabs(), " "), site+"/form")
	pipetest.Has(t, svc.Log(), "with tabs: true the session gets the open tabs")

	plain := pipetest.StartService(t)
	pipetest.Has(t, plain.Fail(-32602, "session.create", tabs), "--cdp")
}
