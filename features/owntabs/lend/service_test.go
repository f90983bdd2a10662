package lend

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// served is a service that runs, on a socket.
type served struct {
	t    *testing.T
	path string
	over chan struct{} // closed when it has ended
	end  func()
}

func (s Service) served(t *testing.T) *served {
	t.Helper()
	return s.servedOn(t, func(l net.Listener) net.Listener { return l })
}

// servedOn is served for a listener that is not as usual.
func (s Service) servedOn(t *testing.T, as func(net.Listener) net.Listener) *served {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	run := &served{t: t, path: path, over: make(chan struct{}), end: end}
	go func() {
		s.Run(ctx, as(l))
		close(run.over)
	}()
	return run
}

func (s *served) connect(context.Context) (io.ReadWriteCloser, error) {
	return net.Dial("unix", s.path)
}

// isOver waits until the service has ended.
func (s *served) isOver(when string) {
	s.t.Helper()
	select {
	case <-s.over:
	case <-time.After(pipetest.Patience):
		s.t.Fatalf("it serves on, %s", when)
	}
}

// lives fails if the service has ended.
func (s *served) lives(when string) {
	s.t.Helper()
	select {
	case <-s.over:
		s.t.Fatalf("it has ended, %s", when)
	default:
	}
}

// TestServiceKeepsTheConnection: programs come and go, over one connection, which ends when none
// has come for long, or the browser is gone, or the person says so.
func TestServiceKeepsTheConnection(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAgentOfAProgram is quick")
	t.Parallel()
	p := newPerson(t)
	var dialled atomic.Int32
	l := p.lender()
	dial := l.Dial
	l.Dial = func(ctx context.Context) (*cdp.Conn, error) {
		dialled.Add(1)
		return dial(ctx)
	}
	const idle = 500 * time.Millisecond
	s := Service{Lender: l, Build: "a", Spare: time.Minute, Idle: idle}.served(t)
	client := &Client{Connect: s.connect, Build: "a"}
	borrow := func() *cdp.Conn {
		t.Helper()
		conn, _, err := client.Borrow(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	for range 3 {
		_ = borrow().Close()
	}
	last := borrow()
	time.Sleep(3 * idle)
	s.lives("while a program uses it")
	if _, err := last.Browser(t.Context()); err != nil {
		t.Error(err)
	}
	_ = last.Close()
	s.isOver("though nobody uses it")
	if n := dialled.Load(); n != 1 || l.connection() != nil {
		t.Errorf("%d connections were made, and %v is left", n, l.connection())
	}

	s = Service{Lender: l, Build: "a", Spare: time.Minute, Idle: time.Hour}.served(t)
	client.Connect = s.connect
	last = borrow()
	b, err := last.Browser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var own targetParams
	if err := b.Call(t.Context(), "Target.createTarget", map[string]any{"url": p.site + "/popups"}, &own); err != nil {
		t.Fatal(err)
	}
	s.end()
	s.isOver("though the person ended it")
	<-last.Gone()
	pipetest.Eventually(t, "what the agent opened is closed", func() bool { return p.tabs()[own.ID] == "" })

	s = Service{Lender: l, Build: "a", Spare: time.Minute, Idle: time.Hour}.served(t)
	client.Connect = s.connect
	_ = borrow().Close()
	time.Sleep(idle) // it knows that the program has ended
	s.lives("for a program that may come")
	_ = l.connection().Close()
	s.isOver("though the browser is gone")
}

// TestServiceWithoutABrowser ends with the program that it could not serve, and without one soon.
func TestServiceWithoutABrowser(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAgentOfAProgram is quick")
	t.Parallel()
	l := &Lender{Dial: func(context.Context) (*cdp.Conn, error) { return nil, errors.New("there is none") }}
	s := Service{Lender: l, Spare: time.Minute, Idle: time.Hour}.served(t)
	if _, _, err := (&Client{Connect: s.connect}).Borrow(t.Context()); err == nil || err.Error() != "there is none" {
		t.Error(err)
	}
	s.isOver("without a browser")
	Service{Lender: l, Spare: time.Millisecond, Idle: time.Hour}.served(t).isOver("though nobody comes")
}

// TestServiceOfAnotherBuild serves a program of another build while it is in use. Else it ends, and
// the program finds the next one.
func TestServiceOfAnotherBuild(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAgentOfAProgram is quick")
	t.Parallel()
	p := newPerson(t)
	old := Service{Lender: p.lender(), Build: "old", Spare: time.Minute, Idle: time.Hour}.served(t)
	first, _, err := (&Client{Connect: old.connect, Build: "old"}).Borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var now *served
	client := &Client{Build: "new", Connect: func(ctx context.Context) (io.ReadWriteCloser, error) {
		if conn, err := old.connect(ctx); err == nil {
			return conn, nil
		}
		if now == nil {
			now = Service{Lender: p.lender(), Build: "new", Spare: time.Minute, Idle: time.Hour}.served(t)
		}
		return now.connect(ctx)
	}}
	beside, _, err := client.Borrow(t.Context())
	if err != nil || now != nil {
		t.Fatalf("beside a program of the old build: %v", err)
	}
	_, _ = beside.Close(), first.Close()
	pipetest.Eventually(t, "another answers", func() bool {
		conn, _, err := client.Borrow(t.Context())
		if err == nil {
			_ = conn.Close()
		}
		return err == nil && now != nil
	})
	old.isOver("after a program of another build")
	now.lives("after its program")
}
