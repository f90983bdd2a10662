package launch

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/chromium"
	"pwpipe/internal/browser/extension"
	"pwpipe/internal/browser/lend"
)

// LenderOf lends tabs of the browser that a person uses, by its name, over a connection of this
// process; nil for an address of another.
func LenderOf(to string, log *slog.Logger) *lend.Client {
	if !chromium.IsPersonal(to) {
		return nil
	}
	l := lend.Of(to)
	dial := l.Dial
	l.Dial = func(ctx context.Context) (*cdp.Conn, error) {
		log.Warn(lend.Asks(to))
		return dial(ctx)
	}
	return &lend.Client{Connect: lend.Inside(l)}
}

// OfPerson reports whether the browser at an address is one that a person uses, whose tabs are lent.
func OfPerson(to string, lender *lend.Client) bool { return lender != nil || to == extension.Name }

// attachTo connects to a Chromium at an address, or borrows a person's.
func (r *Run) attachTo(o StartOptions) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	if o.Lender == nil {
		return r.join(cdp.Dial(ctx, cdpAddress(o.CDP), o.CDPHeaders))
	}
	conn, lent, err := o.Lender.Borrow(ctx)
	r.lent = lent
	return r.join(conn, err)
}

// lentTime bounds the wait for tabs that are lent.
const lentTime = 5 * time.Second

// AwaitLent has the tabs lent that the person named, and waits until they are pages.
func (r *Run) AwaitLent(ctx context.Context) {
	if r.lent == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lentTime)
	defer cancel()
	for most := r.lent(); ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		n := 0
		for _, c := range r.Found {
			n += len(c.Pages())
		}
		if n >= most {
			return
		}
	}
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

// attachToExtension waits for the first tab that the person lends with pwpipe's extension.
func (r *Run) attachToExtension(log *slog.Logger) error {
	log.Warn("waiting for a tab: click the button of pwpipe's extension in the tab that pwpipe is to have")
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	err := r.join(extension.Dial(ctx, func(target, why string) { r.returned.Store(target, why) }))
	if err == nil {
		r.line.session, r.line.err = nil, errOnlyTabs
	}
	return err
}

// Fate is what became of a tab that the extension had lent, by its target; "" of another.
func (r *Run) Fate(target string) string {
	why, _ := r.returned.Load(target)
	text, _ := why.(string)
	return text
}

// errOnlyTabs is why scripts and DevTools clients get no line: what keeps them in their pages
// holds requests of the whole browser back, and the extension has one session with a tab,
// which the driver needs.
var errOnlyTabs = errors.New("scripts and DevTools clients need a browser that is debugged as a whole, " +
	"and the extension lends single tabs; the other tools work")
