// Package fastpath answers reads, fills and clicks from the browser itself, past the
// driver. It leaves to the driver what it can't answer; the driver waits, and its
// errors are reported.
package fastpath

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/pwerrors"
	"pwpipe/provider"
)

// Kind is a kind of question to a document.
type Kind struct{ name string }

var kinds strings.Builder

// Define makes a kind, for a package variable. js is a JavaScript function of a page, a
// selector and an argument. page.one(sel) is the first match, page.all(sel) are all,
// page.injected is Playwright's own injected script. If the function answers undefined
// or throws, the driver is asked. It must change nothing.
func Define(name, js string) Kind { return define(name, js) }

// define is Define for kinds that may change the page.
func define(name, js string) Kind {
	fmt.Fprintf(&kinds, "%q: %s,\n", name, js)
	return Kind{name}
}

// maxPatience bounds the wait for an answer. Then the driver is asked, whose own wait
// ends with the usual error.
const maxPatience = 500 * time.Millisecond

// Read asks the page's document. It reports whether to has the answer. If not, the
// driver must be asked, unless the error is [ErrLong].
func Read(ctx context.Context, p *browser.Page, kind Kind, sel string, arg, to any) (bool, error) {
	turn := provider.TurnFrom(ctx)
	defer turn.Pass()
	r := readers.Of(p)
	if r.elsewhere(ctx) || !turn.Wait(ctx) {
		return false, nil
	}
	q := &question{kind: kind.name, sel: sel, arg: arg, ctx: ctx, answer: make(chan json.RawMessage, 1)}
	r.ask(q)
	turn.Pass()
	raw := q.wait(patience(ctx))
	if string(raw) == long {
		return false, ErrLong
	}
	if raw != nil && json.Unmarshal(raw, to) == nil {
		r.answered.Add(1)
		ahead.Of(p).Store(true)
		return true, nil
	}
	return false, nil
}

// patience leaves most of the remaining time to the driver.
func patience(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return maxPatience
	}
	return min(maxPatience, time.Until(end)/4)
}

type withoutKey struct{}

// Without makes calls use the driver, for tests that compare.
func Without(ctx context.Context) context.Context { return context.WithValue(ctx, withoutKey{}, true) }

// Counted is the number of reads that a page's document has answered, and of messages
// for them, for tests.
func Counted(p *browser.Page) (answers, messages int64) {
	r := readers.Of(p)
	return r.answered.Load(), r.sent.Load()
}

// avoided are the contexts of a session whose reads the driver must do: a trace shows
// them, or options of the context change their meaning.
var avoided browser.State[*browser.Session, sync.Map]

// Avoid sends the reads of a context to the driver, or no longer.
func Avoid(s *browser.Session, c playwright.BrowserContext, on bool) {
	if on {
		avoided.Of(s).Store(c, true)
		return
	}
	avoided.Of(s).Delete(c)
}

// Hooks uses the driver where a context requires it.
var Hooks = browser.Hooks{
	Context: func(s *browser.Session, o *browser.Opened) error {
		if strict := o.Options.StrictSelectors; strict != nil && *strict {
			Avoid(s, o.BrowserContext, true)
		}
		return nil
	},
	Closed: func(s *browser.Session, c playwright.BrowserContext) error {
		Avoid(s, c, false)
		return nil
	},
}

// ahead records that a page answered past the driver. Its answer may be newer than the
// driver's events, such as a script's console lines.
var ahead browser.State[*browser.Page, atomic.Bool]

// catchUpTime bounds the wait for the driver's events.
const catchUpTime = time.Second

// catchUp waits, for a moment at most, until the driver has reported everything that it
// knew about the page before now: its answers and events come in one order.
func catchUp(p *browser.Page) {
	ahead.Of(p).Store(false)
	launch.Within(catchUpTime, func() (err error) {
		for range 3 { // the driver may be about to report that the document has gone, and then that another came
			if _, err = p.PW.Title(); !pwerrors.IsGone(err) && !pwerrors.IsLeft(err) {
				break
			}
		}
		return err
	})
}

// CatchUp waits for the driver's events of pages that are ahead. Tools that answer from
// events call it.
func CatchUp(pages ...*browser.Page) {
	for _, p := range pages {
		if ahead.Of(p).Load() && !p.IsPaused() {
			catchUp(p)
		}
	}
}

// Ahead marks a session's pages as ahead: a script works on them past the driver.
func Ahead(s *browser.Session) {
	for _, p := range s.OpenPages() {
		ahead.Of(p).Store(true)
	}
}

// putIn is Playwright's fill up to where it types: see the file.
//
//go:embed fill.js
var putIn string

var fillable = define("fill", putIn)

// Fill is page.fill for an element that is ready. It does what Playwright does in the
// page with one message, and inserts the text with another. In other cases byDriver
// does all of it, including the wait; then nothing was changed. Fill ends when the
// driver knows its effects.
func Fill(ctx context.Context, p *browser.Page, sel, text string, byDriver func() error) error {
	s := p.Direct()
	if s == nil || text == "" || readers.Of(p).elsewhere(ctx) { // what is emptied is so by a key
		return byDriver()
	}
	c := courses.Of(p)
	if c.Still(s) && fill(ctx, p, sel, text) {
		return nil
	}
	return c.Driven(ctx, s, byDriver)
}

// fill reports whether the element was filled. Once begun, it runs to its end even if
// nobody waits for the call: it must not come after the next call.
func fill(ctx context.Context, p *browser.Page, sel, text string) bool {
	late, most := time.Now().Add(patience(ctx)), browser.Slice
	if end, ok := ctx.Deadline(); ok { // the driver gets half of the time, to report what is late
		most = min(most, time.Until(end)/2)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	q := &question{kind: fillable.name, sel: sel, arg: []any{p.PW.URL(), late.UnixMilli(), text}, ctx: ctx, acts: true, answer: make(chan json.RawMessage, 1)}
	r := readers.Of(p)
	r.ask(q)
	if raw := q.wait(most); string(raw) != "true" {
		return false
	}
	s := p.Direct()
	if s == nil || s.Call(ctx, "Input.insertText", map[string]any{"text": text}, nil) != nil {
		return false
	}
	r.answered.Add(1)
	catchUp(p)
	return true
}
