// Package extension attaches to the tabs that a person lends with pwpipe's extension for
// Chromium, where a browser allows no debugging port. It has the extension's files, the
// native messaging host that Chromium starts for it, and what looks like a browser with
// just the lent tabs in it.
package extension

import (
	"context"
	"errors"
	"net"
	"time"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/script/strictjson"
	"pwpipe/internal/shell/usersocket"
)

// Name is the browser's name in --cdp.
const Name = "extension"

var (
	errTaken  = errors.New("another pwpipe of this user has the lent tabs, or waits for them; end it first")
	errNobody = errors.New("no tab is lent; click the button of pwpipe's extension in the tab that pwpipe is to " +
		"have. `pwpipe extension install` installs the extension")
)

// helloTime bounds the extension's first message.
const helloTime = 5 * time.Second

// Dial waits for the extension of this user's browser, and for its first tab. returned hears
// which target was taken back or given back, and why, before the connection does.
func Dial(ctx context.Context, returned func(target, why string)) (*cdp.Conn, error) {
	at, err := place()
	if err != nil {
		return nil, err
	}
	l, release, err := usersocket.Listen(ctx, at)
	if errors.Is(err, usersocket.ErrTaken) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	b := newBrowser(returned)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go b.serve(conn)
		}
	}()
	end := func() {
		_ = b.Close()
		_ = l.Close()
		release()
	}
	select {
	case <-b.lent:
	case <-ctx.Done():
		end()
		return nil, errNobody
	}
	conn := cdp.New(b.out, b)
	go func() {
		<-conn.Gone()
		end()
	}()
	return conn, nil
}

// said is a message of the extension.
type said struct {
	Type string `json:"type"`

	Agent   string     `json:"agent,omitempty"` // hello: the browser's user agent
	ID      int64      `json:"id,omitempty"`    // reply
	Result  jsonObject `json:"result,omitempty"`
	Error   string     `json:"error,omitempty"`
	Tab     int        `json:"tab,omitempty"` // lent, returned, event
	Target  targetInfo `json:"target,omitzero"`
	Why     string     `json:"why,omitempty"`
	Session string     `json:"session,omitempty"` // event
	Method  string     `json:"method,omitempty"`
	Params  jsonObject `json:"params,omitempty"`
}

// outgoing is a message to the extension.
type outgoing struct {
	Type    string     `json:"type"`
	ID      int64      `json:"id,omitempty"`
	Tab     int        `json:"tab,omitempty"`
	Session string     `json:"session,omitempty"`
	Method  string     `json:"method,omitempty"`
	Params  jsonObject `json:"params,omitempty"`
}

// serve reads what the extension says. A browser has the connection until it ends; others
// are sent away.
func (b *browser) serve(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(helloTime))
	hello, err := readSaid(conn)
	if err != nil || hello.Type != "hello" {
		return
	}
	if !b.enter(conn, hello.Agent) {
		if text, err := frames(outgoing{Type: "busy"}); err == nil {
			_, _ = conn.Write(text)
		}
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	b.tell(outgoing{Type: "hello"}, nil)
	for {
		m, err := readSaid(conn)
		if err != nil {
			break
		}
		switch m.Type {
		case "lent":
			b.lend(m.Tab, m.Target)
		case "returned":
			b.giveBack(m.Tab, m.Why)
		case "event":
			b.event(m)
		case "reply":
			b.reply(m)
		}
	}
	b.leave()
}

func readSaid(conn net.Conn) (m said, err error) {
	text, err := readFrame(conn)
	if err != nil {
		return m, err
	}
	return m, strictjson.Decode(text, &m)
}

// tell sends a message. done gets the extension's answer, or why there is none; it may be nil.
func (b *browser) tell(m outgoing, done func(jsonObject, *cdp.Error)) {
	b.mu.Lock()
	conn := b.conn
	if done != nil {
		b.last++
		m.ID = b.last
		b.calls[m.ID] = done
	}
	b.mu.Unlock()
	list, err := frames(m)
	if err == nil && conn != nil {
		b.writing.Lock()
		_, err = conn.Write(list)
		b.writing.Unlock()
	}
	if err != nil || conn == nil {
		b.reply(said{ID: m.ID, Error: "the extension is gone"})
	}
}
