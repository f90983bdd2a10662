package lend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// TestAgentOfAProgram: the wall stands before an agent of a program. When that ends, the tabs that
// it opened are closed, and those that it was lent are given back.
func TestAgentOfAProgram(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	theirs := p.tab(p.site + "/form?SECRET")
	lent := p.tab(p.site + "/shadow?lent")
	l := p.lender()
	other := &Client{Connect: Inside(l), Lent: []string{"?lent"}}
	conn, lend, err := other.Borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := conn.Browser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := lend(); n != 1 {
		t.Errorf("%d tabs are lent", n)
	}
	var got any
	if err := s.Call(t.Context(), "Target.getTargets", nil, &got); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, fmt.Sprint(got), "?lent")
	pipetest.Lacks(t, fmt.Sprint(got), "SECRET", theirs)
	for method, params := range map[string]any{"Target.attachToTarget": targetParams{theirs}, "Tracing.start": nil, "Pwpipe.nothing": nil} {
		if err := s.Call(t.Context(), method, params, nil); err == nil {
			t.Errorf("%s works", method)
		}
	}
	var own targetParams
	if err := s.Call(t.Context(), "Target.createTarget", map[string]any{"url": p.site + "/popups?own"}, &own); err != nil {
		t.Fatal(err)
	}
	if !other.IsLent(lent) || other.IsLent(own.ID) || other.IsLent(theirs) {
		t.Error("it does not know which tab is lent")
	}
	pipetest.Eventually(t, "the person sees the tab", func() bool { // which is blank at first
		tabs, agents, err := l.Tabs(t.Context())
		return err == nil && len(agents) == 1 && strings.Contains(fmt.Sprint(tabs), "?own")
	})
	_ = conn.Close()
	pipetest.Eventually(t, "its tab is closed", func() bool { return p.tabs()[own.ID] == "" })
	pipetest.Has(t, p.tabs()[lent], "?lent")
	pipetest.Has(t, newAgent(t, p.lender(), "?lent").ask("", "Target.getTargets", "{}"), "?lent")
}

// TestNoBrowser: a program hears why there is no connection.
func TestNoBrowser(t *testing.T) {
	t.Parallel()
	for _, why := range []error{syscall.ECONNREFUSED, context.DeadlineExceeded, errors.New("it is not allowed")} {
		l := &Lender{Dial: func(context.Context) (*cdp.Conn, error) { return nil, fmt.Errorf("dial: %w", why) }}
		_, _, err := (&Client{Connect: Inside(l)}).Borrow(t.Context())
		if err == nil || !errors.Is(err, why) && !strings.Contains(err.Error(), "dial: "+why.Error()) {
			t.Errorf("%v, of %v", err, why)
		}
	}
	silent := &Client{Connect: func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		_ = ours.Close()
		return theirs, nil
	}}
	if _, _, err := silent.Borrow(t.Context()); err == nil {
		t.Error("it borrowed from nobody")
	}
}
