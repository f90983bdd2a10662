package launch

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/chromium"
)

// attachTo connects to a Chromium at an address, or to a person's by its name.
func (r *Run) attachTo(to string, headers http.Header, log *slog.Logger) error {
	address, err := cdpAddress(to)
	if err != nil {
		return err
	}
	if chromium.IsPersonal(to) {
		log.Warn("attaching to " + to + "; if it asks in its window whether to allow debugging, allow it")
	}
	return r.attach(address, headers)
}

// attach connects to a Chromium.
func (r *Run) attach(address string, headers http.Header) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	conn, err := cdp.Dial(ctx, address, headers)
	cancel()
	if err != nil {
		return err
	}
	return r.join(conn)
}

// join has the driver join a connection to a Chromium: browserType.connectOverCDP.
func (r *Run) join(conn *cdp.Conn) error {
	l := &line{conn: conn}
	r.line = l
	asked, done := context.WithTimeout(context.Background(), lineTime)
	if l.session, l.err = conn.Browser(asked); l.err == nil {
		l.home, l.err = homeOf(asked, l.session)
	}
	done()
	door, err := conn.Door()
	if err == nil {
		r.Browser, err = r.Kind.ConnectOverCDP(door)
	}
	if err != nil {
		l.close()
	}
	return err
}

// cdpAddress is where a browser listens: of a person's by its name, and else the address
// with its host as a number, since Chrome answers plain requests that name it by an address
// or as localhost only.
func cdpAddress(raw string) (string, error) {
	if chromium.IsPersonal(raw) {
		return chromium.DevToolsOf(raw)
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Hostname() == "localhost" || u.Scheme == "https" || u.Scheme == "wss" {
		return raw, nil
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return raw, nil
	}
	addrs, err := net.LookupHost(u.Hostname())
	if err != nil || len(addrs) == 0 {
		return raw, nil
	}
	u.Host = net.JoinHostPort(addrs[0], cmp.Or(u.Port(), "80"))
	return u.String(), nil
}

// attachError says why there is no connection, and what to do.
func attachError(err error) string {
	line := pwerrors.FirstLine(pwerrors.ReAPIName.ReplaceAllString(pwerrors.CleanMessage(err), ""))
	switch {
	case strings.Contains(line, "ECONNREFUSED"), errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there (connect ECONNREFUSED)" + startOne
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer; if the browser asks in its window whether to allow debugging, allow it and try again"
	case strings.Contains(line, "ENOTFOUND"), strings.Contains(line, "EAI_AGAIN"), strings.Contains(line, "no such host"):
		return "no such host"
	}
	return line
}

// startOne is what to do where an address has no browser.
const startOne = "; start Chrome with --remote-debugging-port, or a Playwright server"
