package launch

import (
	"errors"
	"fmt"
	"time"

	"pwpipe/internal/browser/cdp"
)

// line is the connection to a Chromium that pwpipe attached to. The driver shares it: a
// person may have to allow each connection, and some services take one only.
type line struct {
	conn    *cdp.Conn
	session *cdp.Session // nil where err is not
	home    string
	err     error
}

const (
	// dialTime bounds a connection, which a person may have to allow. Less than
	// [launchTimeout], so that the error says so.
	dialTime = 50 * time.Second
	// lineTime bounds the first answers, once a connection is there.
	lineTime = 20 * time.Second
)

// HasLine reports whether there is a line of our own to the browser.
func (r *Run) HasLine() bool { return r.DevTools != nil || r.line != nil }

// Line is a session of ours with the browser. home is Chromium's id of the context that a
// browser has from the beginning, where that is somebody's: "" of a browser that pwpipe
// started.
func (r *Run) Line() (s *cdp.Session, home string, err error) {
	switch {
	case r.DevTools != nil:
		return r.DevTools, "", nil
	case r.line == nil:
		return nil, "", errors.New("pwpipe has no DevTools connection of its own to this browser")
	case r.line.err != nil:
		return nil, "", fmt.Errorf("no DevTools session with the browser %s: %s", r.attached, attachError(r.line.err))
	}
	return r.line.session, r.line.home, nil
}

// close ends the connection, not the browser.
func (l *line) close() {
	if l != nil {
		_ = l.conn.Close()
	}
}
