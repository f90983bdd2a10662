//go:build unix

package lend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// raw is a program that speaks as it likes, and reads when it likes.
func (s *served) raw(first string) net.Conn {
	s.t.Helper()
	conn, err := net.Dial("unix", s.path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(pipetest.Patience))
	if _, err := conn.Write([]byte(first)); err != nil {
		s.t.Fatal(err)
	}
	return conn
}

// in is raw for a program that is let in.
func (s *served) in() net.Conn {
	s.t.Helper()
	conn := s.raw("{}\x00")
	if err := readWelcome(conn, &welcome{}); err != nil {
		s.t.Fatal(err)
	}
	return conn
}

// TestEndlessMessages: a program whose message does not end is shown out.
func TestEndlessMessages(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := Service{Lender: p.lender(), Spare: time.Minute, Idle: time.Hour}.served(t)
	for what, conn := range map[string]net.Conn{"first": s.raw("x"), "later": s.in()} {
		piece := bytes.Repeat([]byte("x"), 1<<20)
		var err error
		for n := 0; err == nil && n < 2*longestMessage; n += len(piece) {
			_, err = conn.Write(piece)
		}
		if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a %s message that does not end: %v", what, err)
		}
	}
	_ = s.in()
}

// crowded is a listener that has no descriptors left at first.
type crowded struct {
	net.Listener
	times int
}

func (c *crowded) Accept() (net.Conn, error) {
	if c.times--; c.times >= 0 {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return c.Listener.Accept()
}

// TestTooManyConnections: a service listens on after there were too many connections.
func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	_ = Service{Lender: p.lender(), Spare: time.Minute}.servedOn(t, func(l net.Listener) net.Listener {
		return &crowded{l, 3}
	}).in()
}

// TestProgramThatDoesNotRead does not keep the service, when the browser ends, or when it is too
// far behind.
func TestProgramThatDoesNotRead(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestEndlessMessages is quick")
	t.Parallel()
	p := newPerson(t)
	l := p.lender()
	s := Service{Lender: l, Spare: time.Minute, Idle: time.Hour}.served(t)
	conn := s.in()
	const all = 2000
	for i := range all {
		if _, err := fmt.Fprintf(conn, `{"id":%d,"method":"Browser.getVersion"}`+"\x00", i+1); err != nil {
			t.Fatal(err)
		}
	}
	_ = l.connection().Close()
	s.isOver("for a program that does not read")
}

// TestStoppedBrowser: commands wait at the program while the browser does not get to them, and the
// person can end the connection meanwhile.
func TestStoppedBrowser(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAgentOfAProgram is quick")
	t.Parallel()
	addr, cmd := pipetest.Chromium(t, "0")
	l := &Lender{Dial: func(ctx context.Context) (*cdp.Conn, error) { return cdp.Dial(ctx, "http://"+addr, nil) }}
	s := Service{Lender: l, Spare: time.Minute, Idle: time.Hour}.served(t)
	conn := s.in()
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	_ = conn.SetWriteDeadline(time.Now().Add(2 * time.Second))
	var err error
	for i := 0; i < 20_000 && err == nil; i++ {
		_, err = fmt.Fprintf(conn, `{"id":%d,"method":"Browser.getVersion"}`+"\x00", i+1)
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the service took all commands (%v)", err)
	}
	s.end()
	s.isOver("though the person ended it")
}

// TestEndedBeforeConsent: a service that the person ends does not wait for the browser to let it in.
func TestEndedBeforeConsent(t *testing.T) {
	t.Parallel()
	waits, why := make(chan struct{}), make(chan error, 1)
	l := &Lender{Dial: func(ctx context.Context) (*cdp.Conn, error) {
		close(waits)
		<-ctx.Done()
		why <- ctx.Err()
		return nil, ctx.Err()
	}}
	s := Service{Lender: l, Spare: time.Minute, Idle: time.Hour}.served(t)
	_ = s.raw("{}\x00")
	<-waits
	s.end()
	s.isOver("though the person ended it")
	if err := <-why; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
