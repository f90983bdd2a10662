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

// anySession is a DevTools session that nobody sends commands to.
type anySession struct{ playwright.CDPSession }

// TestDevToolsSession: the page's session is opened once, however many wait for it; it
// is identified before the features see it, and one that can't be opened is tried again.
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

// TestHeld: calls see that the page is held, also those that wait already; one check at
// a time runs, and all who ask meanwhile wait for that.
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
