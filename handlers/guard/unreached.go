package guard

import (
	"context"
	"errors"
	"io"
	"net"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/policy"
	"pwpipe/internal/policy/guardproxy"
	"pwpipe/provider"
)

// Behind the filtering proxy the browser does not know why a host was not reached: it
// sees only that the proxy closed the connection. This file corrects its errors, so
// that they read as without a policy.

// reClosed are the browsers' errors for such a connection.
var reClosed = regexp.MustCompile(`net::ERR_(EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED|ABORTED)|SOCKET_NOT_CONNECTED|TUNNEL_CONNECTION_FAILED|PROXY_CONNECTION_FAILED)|NS_ERROR_[A-Z_]+`)

// reNetError are the browsers' errors for any failed request.
var reNetError = regexp.MustCompile(`net::ERR_[A-Z_]+|NS_ERROR_[A-Z_]+`)

// refusedWord is Chromium's error for a request that was stopped.
const refusedWord = "net::ERR_BLOCKED_BY_CLIENT"

// notReached is the proxy's reason why a URL was not reached, nil if it has none.
func notReached(s *browser.Session, url string) error {
	if _, ok := policy.HostPort(url); !ok {
		return nil
	}
	if err := s.Policy().Request(url); err != nil {
		return err
	}
	if filter := filterInUse(s); filter != nil {
		return filter.Failure(url)
	}
	return nil
}

// NetError corrects a browser's error for a URL.
func NetError(s *browser.Session, url, said string) string {
	if _, ok := policy.HostPort(url); ok && s.Policy().Request(url) != nil {
		return reNetError.ReplaceAllLiteralString(said, refusedWord)
	}
	if !reClosed.MatchString(said) {
		return said
	}
	word := NetWord(notReached(s, url))
	if word == "" {
		return said
	}
	return reClosed.ReplaceAllLiteralString(said, word)
}

// NetWord is Chromium's error for an error of the proxy, "" if the browser's own is as
// good.
func NetWord(err error) string {
	var refused *policy.Refusal
	var dns *net.DNSError
	var op *net.OpError
	var timeout net.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused):
		return refusedWord
	case errors.Is(err, guardproxy.ErrUpstream), errors.As(err, &op) && op.Op == "proxyconnect":
		return "net::ERR_PROXY_CONNECTION_FAILED"
	case errors.As(err, &dns):
		return "net::ERR_NAME_NOT_RESOLVED"
	case errors.Is(err, syscall.ECONNREFUSED), strings.Contains(err.Error(), "refused"):
		return "net::ERR_CONNECTION_REFUSED"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "net::ERR_CONNECTION_TIMED_OUT"
	case errors.Is(err, syscall.ECONNRESET):
		return "net::ERR_CONNECTION_RESET"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EADDRNOTAVAIL):
		return "net::ERR_ADDRESS_UNREACHABLE"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "net::ERR_EMPTY_RESPONSE"
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "net::ERR_INVALID_HTTP_RESPONSE"
	}
	return ""
}

// PutRight corrects the error of a page's navigation with the proxy's reason. url is
// its destination; if a redirect led elsewhere, the event of the failed request has
// reported it.
func PutRight(p *browser.Page, err error, url string) error {
	if err == nil || !reClosed.MatchString(err.Error()) {
		return err
	}
	g := judged.Of(p)
	g.mu.Lock()
	if g.failed != "" {
		url, g.failed = g.failed, ""
	}
	g.mu.Unlock()
	url = policy.Resolve(url, p.Session.Browser.Config.BaseURL)
	if refused := refusal(p, notReached(p.Session, url), url); refused != nil {
		return refused
	}
	return reworded(p.Session, err, url)
}

// reworded is an error of Playwright about a URL, corrected.
func reworded(s *browser.Session, err error, url string) error {
	said := pwerrors.CleanMessage(err)
	right := NetError(s, url, said)
	if strings.Contains(said, guardproxy.NoTunnel) {
		why := notReached(s, url)
		var refused *policy.Refusal
		if errors.As(why, &refused) {
			return provider.Errorf(provider.KindBlocked, "blocked: %s: %w", s.Browser.Short(url, 200), why)
		}
		right = strings.Replace(said, guardproxy.NoTunnel, nodeWord(why, url), 1)
	}
	var own *playwright.Error
	if right == said || !errors.As(err, &own) {
		return err
	}
	e := *own
	e.Message = right
	return &e
}

// nodeWord is Node's error for an error of the proxy. For its own requests Node knows
// only that there was no tunnel.
func nodeWord(err error, url string) string {
	hostport, _ := policy.HostPort(url)
	host, _, _ := net.SplitHostPort(hostport)
	switch NetWord(err) {
	case "net::ERR_NAME_NOT_RESOLVED":
		return "getaddrinfo ENOTFOUND " + host
	case "net::ERR_CONNECTION_REFUSED":
		return "connect ECONNREFUSED " + hostport
	case "net::ERR_CONNECTION_TIMED_OUT":
		return "connect ETIMEDOUT " + hostport
	}
	if err == nil {
		return "a redirect led to a host that can't be reached, or may not be"
	}
	return err.Error()
}

// ScriptFailure is [PutRight] for calls of scripts.
func ScriptFailure(s *browser.Session, self any, url string, err error) error {
	page, _ := self.(playwright.Page)
	if f, ok := self.(playwright.Frame); ok && f.ParentFrame() == nil {
		page = f.Page()
	}
	if p := s.Find(page); p != nil {
		AwaitErrorPage(context.Background(), p)
		return PutRight(p, err, url)
	}
	return reworded(s, err, policy.Resolve(url, s.Browser.Config.BaseURL))
}

// errorPage records which of the page's documents will be the error page of a failed
// navigation.
var errorPage browser.State[*browser.Page, atomic.Int64]

// errorPageTime bounds the wait for the error page.
const errorPageTime = 1500 * time.Millisecond

// AwaitErrorPage waits, for a moment at most, for the error page of a failed
// navigation, until the browser's own process has it too. A navigation that begins
// before could be lost.
func AwaitErrorPage(ctx context.Context, p *browser.Page) {
	due := errorPage.Of(p)
	for end := time.Now().Add(errorPageTime); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if p.Arrived() >= due.Load() || ctx.Err() != nil {
			return
		}
	}
	due.Store(0) // there is none
}

// Leaves records a navigation that somebody begins past our tools. If it fails, call
// [AwaitErrorPage]; it has failed once shown is called. The page may be nil.
func Leaves(p *browser.Page) (shown func()) {
	if p == nil {
		return func() {}
	}
	last := p.Documents.Load()
	return func() {
		for end := time.Now().Add(errorPageTime); time.Now().Before(end) && p.Arrived() <= last && p.Lost() == nil; time.Sleep(5 * time.Millisecond) {
		}
	}
}
