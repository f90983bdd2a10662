//go:build evidence

package eachtool_test

import (
	"testing"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// TestMediaAreLost: Chromium 153 forgets an emulated medium with the next document, if a
// DevTools session without one was opened later. If this fails with a newer Chromium, keep
// and join can go.
func TestMediaAreLost(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and the transcript looks is quick")
	t.Parallel()
	addr, _ := pipetest.Chromium(t, "0")
	conn, err := cdp.Dial(t.Context(), "http://"+addr, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	root, err := conn.Browser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	call := func(s *cdp.Session, method string, params map[string]any, result any) {
		t.Helper()
		if err := s.Call(t.Context(), method, params, result); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	var page struct{ TargetID string }
	call(root, "Target.createTarget", map[string]any{"url": "about:blank"}, &page)
	var sessions [2]*cdp.Session
	for i := range sessions {
		if sessions[i], err = root.Attach(t.Context(), page.TargetID); err != nil {
			t.Fatal(err)
		}
		call(sessions[i], "Page.enable", nil, nil)
		if i == 0 {
			call(sessions[i], "Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
		}
	}
	prints := func() bool {
		t.Helper()
		var got struct{ Result struct{ Value bool } }
		call(sessions[0], "Runtime.evaluate", map[string]any{"expression": "matchMedia('print').matches"}, &got)
		return got.Result.Value
	}
	if !prints() {
		t.Fatal("the medium is not emulated at all")
	}
	site := pipetest.ServePages(t, map[string]string{"/": "<p>next"})
	call(sessions[0], "Page.navigate", map[string]any{"url": site}, nil)
	pipetest.Eventually(t, "the next document", func() bool {
		var got struct{ Result struct{ Value string } }
		call(sessions[0], "Runtime.evaluate", map[string]any{"expression": "document.body?.textContent"}, &got)
		return got.Result.Value == "next"
	})
	if prints() {
		t.Error("the next document has the medium: the workaround can go")
	}
}
