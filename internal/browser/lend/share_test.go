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

// from is a lender of another program, which uses the connection of this one.
func from(t *testing.T, l *Lender) *Lender {
	return &Lender{
		Dial: func(context.Context) (*cdp.Conn, error) {
			t.Error("it made a connection of its own")
			return nil, io.EOF
		},
		Elsewhere: func(context.Context) (io.ReadWriteCloser, error) {
			ours, theirs := net.Pipe()
			go l.Serve(ours)
			return theirs, nil
		},
	}
}

// TestAgentOfAnotherProgram: the wall stands before an agent of another program, whose tabs are
// closed when that program ends, and given back.
func TestAgentOfAnotherProgram(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	theirs := p.tab(p.site + "/form?SECRET")
	lent := p.tab(p.site + "/shadow?lent")
	l := p.lender()
	other := from(t, l)
	other.Lent = []string{"?lent"}
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
	if tabs, agents, err := l.Tabs(t.Context()); err != nil || len(agents) != 1 || !strings.Contains(fmt.Sprint(tabs), "?own") {
		t.Errorf("the person sees %v, %v (%v)", tabs, agents, err)
	}
	_ = conn.Close()
	pipetest.Eventually(t, "its tab is closed", func() bool { return p.tabs()[own.ID] == "" })
	pipetest.Has(t, p.tabs()[lent], "?lent")
	pipetest.Has(t, newAgent(t, &Lender{Dial: l.Dial, Lent: []string{"?lent"}}).ask("", "Target.getTargets", "{}"), "?lent")
}

// TestNoBrowserElsewhere: an agent hears why the other program has no connection.
func TestNoBrowserElsewhere(t *testing.T) {
	t.Parallel()
	for _, why := range []error{syscall.ECONNREFUSED, context.DeadlineExceeded, errors.New("it is not allowed")} {
		l := &Lender{Dial: func(context.Context) (*cdp.Conn, error) { return nil, fmt.Errorf("dial: %w", why) }}
		_, _, err := from(t, l).Borrow(t.Context())
		if err == nil || !errors.Is(err, why) && !strings.Contains(err.Error(), "dial: "+why.Error()) {
			t.Errorf("%v, of %v", err, why)
		}
	}
	silent := &Lender{Elsewhere: func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		_ = ours.Close()
		return theirs, nil
	}}
	if _, _, err := silent.Borrow(t.Context()); err == nil {
		t.Error("it borrowed from nobody")
	}
}
