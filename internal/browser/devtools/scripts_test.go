package devtools

import (
	"context"
	"errors"
	"testing"
)

func newScripts() *scripts {
	return &scripts{list: map[string]*Script{}, sources: map[string]string{}, early: map[string][]scriptLocation{}}
}

func parsed(id, url string, context float64) map[string]any {
	return map[string]any{"scriptId": id, "url": url, "executionContextId": context, "endLine": 9.0,
		"executionContextAuxData": map[string]any{"isDefault": true}}
}

func resolved(id, script string, line float64) map[string]any {
	return map[string]any{"breakpointId": id, "location": map[string]any{"scriptId": script, "lineNumber": line}}
}

// A breakpoint is where its scripts are, even if that is reported before the browser's
// reply. When their document goes, it is pending.
func TestBreakpointsMoveWithScripts(t *testing.T) {
	s := newScripts()
	s.add(parsed("1", "http://x/a.js", 1))
	s.resolve(resolved("browser-1", "1", 4))
	b := &Breakpoint{}
	s.placed(b, "browser-1", nil)
	if got := s.addBreakpoint(b); got.ID != "b1" || got.Pending || len(got.Locations) != 1 || got.Locations[0].Line != 5 {
		t.Errorf("%+v", got)
	}
	again := parsed("2", "http://x/a.js", 2)
	again["resolvedBreakpoints"] = []any{resolved("browser-1", "2", 4)}
	s.add(again)
	s.resolve(resolved("browser-1", "2", 4)) // a duplicate report counts once
	if got := s.breaks[0]; len(got.Locations) != 2 {
		t.Errorf("%+v", got)
	}
	if hit := s.hit([]string{"browser-1", "browser-2"}); len(hit) != 1 || hit[0] != "b1" {
		t.Errorf("hit %s", hit)
	}
	s.sources["1"] = "text"
	s.drop(1)
	if _, kept := s.sources["1"]; kept || s.script("1") != nil || len(s.breaks[0].Locations) != 1 {
		t.Error("a document that is gone has scripts")
	}
	s.drop(0)
	if got := s.breaks[0]; !got.Pending || len(s.urls()) != 0 {
		t.Errorf("%+v, with %s", got, s.urls())
	}
	if s.removeBreakpoints([]string{"browser-1"}); len(s.breaks) != 0 {
		t.Error("it was removed")
	}
}

// A pause knows its origin, and ends the wait for it.
func TestPauses(t *testing.T) {
	s := &pauses{changed: make(chan struct{})}
	if s.set(nil) {
		t.Error("it runs already")
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.wait(late); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if s.arm(true) || !s.arm(true) {
		t.Error("it is armed once")
	}
	waited := make(chan error)
	go func() { waited <- s.wait(t.Context()) }()
	first := &pause{}
	if !s.set(first) || !first.asked || first.stepped {
		t.Errorf("%+v", first)
	}
	if err := <-waited; err != nil {
		t.Error(err)
	}
	s.stepping.Store(true)
	second := &pause{}
	if s.set(second); second.asked || !second.stepped {
		t.Errorf("%+v", second)
	}
	if p, armed, _ := s.state(); p != second || armed {
		t.Error("it is paused")
	}
	if !s.set(nil) {
		t.Error("it runs again")
	}
}
