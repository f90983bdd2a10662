package lend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"
	"time"

	"pwpipe/internal/browser/cdp"
)

// Chrome asks the person about each connection, so programs of one user share the one that the
// first of them has. The wall is in that program: an agent of another has a connection behind it,
// over a socket of this user's.

// wants is what an agent of another program says first.
type wants struct {
	Lend      []string `json:"lend,omitempty"`
	OwnWindow bool     `json:"ownWindow,omitempty"`
}

// welcome is the answer to it.
type welcome struct {
	Error   string `json:"error,omitempty"`
	Refused bool   `json:"refused,omitempty"` // nothing listens
	Late    bool   `json:"late,omitempty"`    // the person may not have allowed it yet
}

func welcomeOf(err error) welcome {
	return welcome{err.Error(), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, context.DeadlineExceeded)}
}

func (w welcome) err() error {
	switch {
	case w.Refused:
		return syscall.ECONNREFUSED
	case w.Late:
		return context.DeadlineExceeded
	case w.Error != "":
		return errors.New(w.Error)
	}
	return nil
}

// What a program asks of its agent's lender, beside what it asks of the browser.
const (
	lendNow = "Pwpipe.lend"
	asksFor = "Pwpipe.isLent"
)

// serveTime bounds the wait for the person's consent, and for what an agent says first.
const serveTime = 55 * time.Second

// Serve has an agent of another program of this user use the connection, until one of them ends.
func (l *Lender) Serve(conn io.ReadWriteCloser) {
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), serveTime)
	defer cancel()
	said := bufio.NewReader(conn)
	var w wants
	if first, err := said.ReadBytes(0); err != nil || json.Unmarshal(bytes.TrimSuffix(first, []byte{0}), &w) != nil {
		return
	}
	b, err := l.borrow(ctx, w)
	if err != nil {
		_, _ = conn.Write(append(encoded(welcomeOf(err)), 0))
		return
	}
	defer b.leave()
	if _, err := conn.Write(append(encoded(welcome{}), 0)); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(conn, b.out)
		_ = conn.Close() // the browser is gone
	}()
	for {
		m, err := said.ReadBytes(0)
		if err != nil || !asked(b, m) {
			return
		}
	}
}

// asked takes a message of an agent of another program. It reports whether the browser is there.
func asked(b *borrower, m []byte) bool {
	var in message
	if json.Unmarshal(bytes.TrimSuffix(m, []byte{0}), &in) == nil && in.ID != 0 {
		switch in.Method {
		case lendNow:
			b.say(message{ID: in.ID, Session: in.Session, Result: encoded(b.works())})
			return true
		case asksFor:
			var p targetParams
			_ = json.Unmarshal(in.Params, &p)
			b.say(message{ID: in.ID, Session: in.Session, Result: encoded(b.lent(p.ID))})
			return true
		}
	}
	_, err := b.Write(m)
	return err == nil
}

// borrowThere borrows from the program that has the connection.
func (l *Lender) borrowThere(ctx context.Context, conn io.ReadWriteCloser) (*cdp.Conn, func() int, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	w := welcome{}
	text := encoded(wants{l.Lent, l.OwnWindow})
	_, err := conn.Write(append(text, 0))
	if err == nil {
		err = readWelcome(conn, &w)
	}
	if !stop() && ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err == nil {
		err = w.err()
	}
	if err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	there := cdp.New(conn, conn)
	root, err := there.Browser(ctx)
	if err != nil {
		_ = there.Close()
		return nil, nil, err
	}
	l.holding.Lock()
	l.there = append(l.there, root)
	l.holding.Unlock()
	return there, func() (n int) {
		askThere(root, lendNow, nil, &n)
		return n
	}, nil
}

// readWelcome reads no byte of what comes after it.
func readWelcome(conn io.Reader, w *welcome) error {
	var text []byte
	for one := make([]byte, 1); len(text) < 64<<10; {
		if _, err := io.ReadFull(conn, one); err != nil {
			return fmt.Errorf("the pwpipe that has the connection ended: %w", err)
		}
		if one[0] == 0 {
			return json.Unmarshal(text, w)
		}
		text = append(text, one[0])
	}
	return errors.New("the pwpipe that has the connection answered nonsense")
}

// askTime bounds an answer of the program that has the connection.
const askTime = 5 * time.Second

func askThere(conn *cdp.Session, method string, params, into any) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	_ = conn.Call(ctx, method, params, into)
}

// isLentThere asks the program that has the connection whether a tab of our agents' was lent.
func (l *Lender) isLentThere(tab string) (is bool) {
	l.holding.Lock()
	l.there = slices.DeleteFunc(l.there, func(conn *cdp.Session) bool {
		select {
		case <-conn.Gone():
			return true
		default:
			return false
		}
	})
	list := slices.Clone(l.there)
	l.holding.Unlock()
	for _, conn := range list {
		if askThere(conn, asksFor, targetParams{tab}, &is); is {
			return true
		}
	}
	return false
}
