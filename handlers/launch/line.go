package launch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/grid"
)

// line is a connection of our own to a Chromium that was attached to, beside the
// driver's: it is made when it is first needed, and again once it has ended.
type line struct {
	at      string     // the browser's address
	mu      sync.Mutex // held while it is made, too
	conn    *cdp.Conn
	session *cdp.Session
	home    string
}

// lineTime bounds how long it may take to come up.
const lineTime = 20 * time.Second

// HasLine reports whether there is a line of our own to the browser, or one can
// be had.
func (r *Run) HasLine() bool { return r.DevTools != nil || r.line != nil }

// Line is a session of ours with the browser, on a line of our own. home is
// Chromium's id of the context that a browser has from the beginning, where that
// is somebody's: "" of a browser that pwpipe started.
func (r *Run) Line(ctx context.Context) (s *cdp.Session, home string, err error) {
	switch {
	case r.DevTools != nil:
		return r.DevTools, "", nil
	case r.line == nil:
		return nil, "", errors.New("pwpipe has no DevTools connection of its own to this browser")
	}
	l := r.line
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.session != nil {
		select {
		case <-l.session.Gone():
			_ = l.conn.Close()
			l.session = nil
		default:
			return l.session, l.home, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, lineTime)
	defer cancel()
	if err := l.dial(ctx, l.at); err != nil {
		return nil, "", fmt.Errorf("no connection of its own to the browser at %s: %s", r.attached, attachError(err))
	}
	go func(conn *cdp.Conn) {
		select {
		case <-r.Gone:
			_ = conn.Close()
		case <-conn.Gone():
		}
	}(l.conn)
	return l.session, l.home, nil
}

// dial makes the connection. The lock is held.
func (l *line) dial(ctx context.Context, address string) error {
	conn, err := cdp.Dial(ctx, address)
	if err != nil {
		return err
	}
	s, err := conn.Browser(ctx)
	if err == nil {
		l.home, err = homeOf(ctx, s)
	}
	if err != nil {
		_ = conn.Close()
		return err
	}
	l.conn, l.session = conn, s
	return nil
}

// homeOf is the context in which a browser's own windows are: one that is on no
// list. Older Chromiums do not name it, but their pages do.
func homeOf(ctx context.Context, s *cdp.Session) (string, error) {
	var made struct {
		IDs  []string `json:"browserContextIds"`
		Home string   `json:"defaultBrowserContextId"`
	}
	if err := s.Call(ctx, "Target.getBrowserContexts", nil, &made); err != nil || made.Home != "" {
		return made.Home, err
	}
	var open struct {
		Infos []struct {
			Context string `json:"browserContextId"`
		} `json:"targetInfos"`
	}
	if err := s.Call(ctx, "Target.getTargets", nil, &open); err != nil {
		return "", err
	}
	for _, t := range open.Infos {
		if t.Context != "" && !slices.Contains(made.IDs, t.Context) {
			return t.Context, nil
		}
	}
	return "", nil
}

// openOfGrid has the grid start a browser, and attaches to it. Playwright's own way
// there (SELENIUM_REMOTE_URL) tells neither the session, which is to be kept and to
// be ended, nor where its DevTools is, which scripts and clients need.
func (r *Run) openOfGrid(o grid.Options) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), grid.OpenTime)
	defer cancel()
	if r.ofGrid, err = grid.Open(ctx, o); err != nil {
		return err
	}
	if err := r.ofGrid.Note(r.Driver.Temp); err != nil {
		return err
	}
	r.line = &line{at: r.ofGrid.CDP}
	r.Browser, err = r.Kind.ConnectOverCDP(r.ofGrid.CDP)
	return err
}
