package lend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"syscall"
	"time"
)

// Chrome asks the person about each connection, so the programs of a user share one, which a
// process of its own has. The wall is in that process: an agent of a program has a connection
// behind it, over a socket of this user's.

// wants is what a program says first.
type wants struct {
	Lend      []string `json:"lend,omitempty"`
	OwnWindow bool     `json:"ownWindow,omitempty"`
	Build     string   `json:"build,omitempty"`
	Process   int      `json:"process,omitempty"`
}

// welcome is the answer to it.
type welcome struct {
	Error   string `json:"error,omitempty"`
	Refused bool   `json:"refused,omitempty"` // nothing listens
	Late    bool   `json:"late,omitempty"`    // the person may not have allowed it yet
	Ending  bool   `json:"ending,omitempty"`  // the process ends: the next one answers
}

func welcomeOf(err error) welcome {
	return welcome{Error: err.Error(), Refused: errors.Is(err, syscall.ECONNREFUSED),
		Late: errors.Is(err, context.DeadlineExceeded)}
}

func (w welcome) err() error {
	switch {
	case w.Ending:
		return errEnding
	case w.Refused:
		return syscall.ECONNREFUSED
	case w.Late:
		return context.DeadlineExceeded
	case w.Error != "":
		return errors.New(w.Error)
	}
	return nil
}

// What a program asks of the lender, beside what it asks of the browser.
const (
	lendNow = "Pwpipe.lend"
	asksFor = "Pwpipe.isLent"
)

// serveTime bounds the wait for the person's consent.
const serveTime = 55 * time.Second

// helloTime bounds the wait for what a program says first.
const helloTime = 5 * time.Second

// guest is a program that has said what it wants.
type guest struct {
	wants
	conn io.ReadWriteCloser
	said *bufio.Reader
}

// hello waits for what a program says first. It returns nil for one that says nothing.
func hello(conn io.ReadWriteCloser) *guest {
	late := time.AfterFunc(helloTime, func() { _ = conn.Close() })
	g := &guest{conn: conn, said: bufio.NewReader(conn)}
	first, err := readMessage(g.said, longestFirst)
	if !late.Stop() || err != nil || json.Unmarshal(bytes.TrimSuffix(first, []byte{0}), &g.wants) != nil {
		_ = conn.Close()
		return nil
	}
	return g
}

// Bounds of what a program says: a longer message ends it. Chromium takes none of 100 MiB.
const (
	longestFirst   = 64 << 10
	longestMessage = 100 << 20
)

// readMessage reads a message with its NUL.
func readMessage(r *bufio.Reader, most int) (whole []byte, _ error) {
	for {
		part, err := r.ReadSlice(0)
		if len(whole)+len(part) > most {
			return nil, bufio.ErrTooLong
		}
		whole = append(whole, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

func (g *guest) answer(w welcome) error {
	_, err := g.conn.Write(append(encoded(w), 0))
	return err
}

// serve has an agent of a program use the connection, until one of them ends.
func (l *Lender) serve(ctx context.Context, g *guest) {
	defer g.conn.Close()
	waiting, cancel := context.WithTimeout(ctx, serveTime)
	defer cancel()
	b, err := l.borrow(waiting, g.wants)
	if err != nil {
		_ = g.answer(welcomeOf(err))
		return
	}
	defer b.Close()
	if g.answer(welcome{}) != nil {
		return
	}
	go func() {
		_, _ = io.Copy(g.conn, b.out)
		_ = g.conn.Close() // the browser is gone
	}()
	go func() { // and where the program does not read: it may be stopped
		<-b.out.Closed()
		time.Sleep(leaveTime)
		_ = g.conn.Close()
	}()
	for p := (pace{b: b}); ; {
		m, err := readMessage(g.said, longestMessage)
		if err == nil {
			_, err = b.Write(m)
		}
		if err != nil || !p.took(ctx, len(m)) {
			return
		}
	}
}

// The browser takes all agents' commands in one queue. So that no agent fills it, its commands
// come in portions: of a further one none is read until the browser has come to the last but one.
const (
	portionCommands = 128
	portionBytes    = 8 << 20
)

// pace lets an agent's commands through.
type pace struct {
	b               *borrower
	commands, bytes int           // of this portion
	last            chan struct{} // closed when the browser has come to the end of the last one
}

// took counts a command that was taken, and waits if it ends a portion too early. It reports
// whether the agent goes on.
func (p *pace) took(ctx context.Context, bytes int) bool {
	p.commands++
	if p.bytes += bytes; p.commands < portionCommands && p.bytes < portionBytes {
		return true
	}
	p.commands, p.bytes = 0, 0
	before, now := p.last, make(chan struct{})
	p.last = now
	p.b.watch.Send("Browser.getVersion", nil, func(json.RawMessage, error) { close(now) })
	if before == nil {
		return true
	}
	select {
	case <-before:
		return true
	case <-p.b.watch.Gone():
	case <-ctx.Done():
	}
	return false
}
