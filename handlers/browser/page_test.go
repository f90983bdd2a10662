package browser

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// anySession is a CDP session that gets no commands.
type anySession struct{ playwright.CDPSession }

// TestDevToolsSession: the page's session is opened once, however many wait for it. It
// is identified before features get it. A failed opening is tried again.
func TestDevToolsSession(t *testing.T) {
	var d devtools
	var steps []string
	fails := errors.New("the page is gone")
	d.open = func() (playwright.CDPSession, error) { return nil, fails }
	d.opened = func() { steps = append(steps, "identified") }
	d.OnSession(func(playwright.CDPSession) { steps = append(steps, "opened") })
	d.OnAttach(func(playwright.CDPSession) { steps = append(steps, "attached") })
	if err := d.Attached(); !errors.Is(err, fails) || d.HasDevTools() {
		t.Errorf("a session that can't be opened: %v, there: %v", err, d.HasDevTools())
	}
	if _, err := d.DevTools("Page.enable", nil); !NotRun(err) {
		t.Errorf("a command without a session: %v", err)
	}
	only := &anySession{}
	d.open = func() (playwright.CDPSession, error) { return only, nil }
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() { _ = d.Attached() })
	}
	wait.Wait()
	if want := []string{"opened", "identified", "attached"}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %v, want %v", steps, want)
	}
	if s, err := d.DevToolsSession(); s != playwright.CDPSession(only) || err != nil {
		t.Errorf("the page's session is %v, %v", s, err)
	}
}

// TestHeld: calls learn that the page is held, also those already waiting. One check at
// a time runs, and concurrent callers share it.
func TestHeld(t *testing.T) {
	p := &Page{}
	paused := p.pausing(&provider.Spec{})
	p.Hold(&Hold{})
	select {
	case <-paused:
	default:
		t.Error("who waited is not told that the page is held")
	}
	if p.Hold(nil); p.IsPaused() || p.pausing(&provider.Spec{}) == paused {
		t.Error("the page goes on, and is held")
	}
	if p.checked() != nil {
		t.Error("a page that nobody looks at is being checked")
	}
	var runs atomic.Int64
	finish := make(chan struct{})
	look := func() { runs.Add(1); <-finish }
	p.check(look)
	done := p.checked()
	p.check(look)
	close(finish)
	<-done
	if n := runs.Load(); n != 1 || p.checked() != nil {
		t.Errorf("%d checks ran, want 1", n)
	}
}
