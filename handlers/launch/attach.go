package launch

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/browser/cdp"
)

// attachTo connects to a Chromium at an address.
func (r *Run) attachTo(o StartOptions) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	return r.join(cdp.Dial(ctx, cdpAddress(o.CDP), o.CDPHeaders))
}

// join has the driver join a connection to a Chromium, if there is one: browserType.connectOverCDP.
func (r *Run) join(conn *cdp.Conn, err error) error {
	if err != nil {
		return err
	}
	l := &line{conn: conn}
	r.line = l
	asked, done := context.WithTimeout(context.Background(), lineTime)
	if l.session, l.err = conn.Browser(asked); l.err == nil {
		l.home, l.err = cdp.HomeOf(asked, l.session)
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

// cdpAddress is the address of a browser with its host as a number, since Chrome answers
// plain requests that name it by an address or as localhost only.
func cdpAddress(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Hostname() == "localhost" || u.Scheme == "https" || u.Scheme == "wss" {
		return raw
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return raw
	}
	addrs, err := net.LookupHost(u.Hostname())
	if err != nil || len(addrs) == 0 {
		return raw
	}
	u.Host = net.JoinHostPort(addrs[0], cmp.Or(u.Port(), "80"))
	return u.String()
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
