package login

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pwpipe/features/login/logins"
	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// Hooks holds each request of a browser with log-ins until the wall has judged it.
var Hooks = browser.Hooks{Started: func(b *browser.Browser, e *browser.Engine) {
	if Known.Of(b.Config) != nil && !b.Config.Attached() { // where login can't type anything
		walls.Of(b).raise(b, e)
	}
}}

// wall fails what would carry a value of a log-in elsewhere. The browser asks it about each request
// before anything leaves: of pages, frames and workers, with the address, the headers and the body,
// and again for each hop of a redirect. It stands from the start of the browser, since requests of a
// document that was there before would pass.
type wall struct {
	mu    sync.Mutex
	of    *browser.Engine // that it stands in, nil for none
	leaks []logins.Leak   // the last ones, which it has failed
	count int             // of all

	typed   atomic.Bool  // a log-in has typed something in the browser
	waiting atomic.Int64 // bytes of requests that wait
	judging sync.Mutex   // held while a long request is judged
}

var walls browser.State[*browser.Browser, wall]

const (
	wallTime  = 20 * time.Second // bounds the start
	keptLeaks = 20
	// quick is how much text is judged on the goroutine that reads from the browser.
	quick = 16 << 10
	// mostHeld bounds the bytes of the requests that wait to be judged.
	mostHeld = 64 << 20
)

// raise has the browser ask about requests from now on.
func (w *wall) raise(b *browser.Browser, e *browser.Engine) {
	line, _, err := e.Line()
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), wallTime)
		defer cancel()
		line.On("Fetch.requestPaused", func(event json.RawMessage) {
			w.hear(b, line, event)
		})
		err = line.Call(ctx, "Fetch.enable", nil, nil)
	}
	if err != nil {
		b.Log.Warn("the tool login does not work in this browser, whose requests pwpipe can't judge", "error", err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.of = e
}

// hear judges a request at once if it is short, and else when its turn comes.
func (w *wall) hear(b *browser.Browser, line *cdp.Session, event json.RawMessage) {
	size := int64(len(event))
	switch {
	case size <= quick:
		w.judge(b, line, event)
	case w.waiting.Add(size) > mostHeld:
		w.waiting.Add(-size)
		if m := reID.FindSubmatch(event[:min(len(event), 200)]); m != nil {
			w.fail(b, line, string(m[1]), &logins.Leak{})
		}
	default:
		go func() {
			w.judging.Lock()
			defer w.judging.Unlock()
			defer w.waiting.Add(-size)
			w.judge(b, line, event)
		}()
	}
}

var reID = regexp.MustCompile(`"requestId":"([^"\\]+)"`)

// judge lets a request go on, or fails it. It does not wait.
func (w *wall) judge(b *browser.Browser, line *cdp.Session, event json.RawMessage) {
	var h logins.Held
	if json.Unmarshal(event, &h) != nil {
		return
	}
	var leak *logins.Leak
	if !errors.As(Known.Of(b.Config).Judge(h.Sent()), &leak) && h.TooLong && w.typed.Load() {
		leak = Known.Of(b.Config).Unread(h.Request.URL)
	}
	if leak != nil {
		w.fail(b, line, h.ID, leak)
		return
	}
	line.Send("Fetch.continueRequest", map[string]any{"requestId": h.ID}, nil)
}

// fail fails a request, and keeps why.
func (w *wall) fail(b *browser.Browser, line *cdp.Session, id string, leak *logins.Leak) {
	line.Send("Fetch.failRequest", map[string]any{"requestId": id, "errorReason": "BlockedByClient"}, nil)
	b.Log.Warn("blocked: "+leak.Error(), "secret", leak.Name)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	w.leaks = append(w.leaks, *leak)
	if len(w.leaks) > keptLeaks {
		w.leaks = slices.Clone(w.leaks[1:])
	}
}

// stands reports whether the wall stands in a browser.
func (w *wall) stands(e *browser.Engine) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.of == e
}

// since returns the first request with a password or a code of a log-in that was failed after so
// many, and how many there are now. A user name does not end a log-in: counters of the site's often
// get it.
func (w *wall) since(count int, l *logins.Login) (leak *logins.Leak, now int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, one := range w.leaks {
		if w.count-len(w.leaks)+i >= count && !one.IsUser && one.Name != "" && l.Has(one.Name) {
			return &one, w.count
		}
	}
	return nil, w.count
}

// walled returns an error for a browser in which nothing holds back what is typed.
func (f *flow) walled() error {
	f.wall = walls.Of(f.Session.Browser)
	f.wall.typed.Store(true)
	_, f.leaks = f.wall.since(0, f.login)
	if f.wall.stands(f.Engine) {
		return nil
	}
	return provider.Errorf(provider.KindUnavailable,
		"pwpipe can't judge this browser's requests, so it types nothing: login needs a Chromium that pwpipe starts").
		WithHint("leave out --browser firefox or webkit, --cdp, --ws and --grid")
}

// leaked returns an error once a request with a value of this log-in was failed.
func (f *flow) leaked() error {
	leak, _ := f.wall.since(f.leaks, f.login)
	if leak == nil {
		return nil
	}
	e := f.failed("%w: it was stopped", leak)
	e.Kind = provider.KindBlocked
	if !leak.InURL {
		return e.WithHint("if that is right, whoever keeps the log-ins can add it to origin")
	}
	return e
}
