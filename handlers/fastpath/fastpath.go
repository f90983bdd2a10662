// Package fastpath answers reads, fills and clicks from the browser itself, past
// the driver. What it can't answer, for whatever reason, is left to the driver,
// which waits and words the error.
package fastpath

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Kind is a kind of question that a document answers.
type Kind struct{ name string }

var kinds strings.Builder

// Define makes a kind, for a package variable: a function of JavaScript that is
// given a page, a selector and an argument. page.one(sel) is the first element
// that matches, page.all(sel) are all, page.injected is Playwright's own injected
// script. Where the function answers undefined, or throws, the driver is asked.
// It must change nothing.
func Define(name, js string) Kind { return define(name, js) }

// define is Define of what may change the page, too.
func define(name, js string) Kind {
	fmt.Fprintf(&kinds, "%q: %s,\n", name, js)
	return Kind{name}
}

// mostPatience is how long an answer is waited for before the driver is asked:
// its own waits end with the words that people know.
const mostPatience = 500 * time.Millisecond

// Read asks the page's own document. It reports whether there was an answer,
// which is then in to; else the driver is to be asked, unless the error is [ErrLong].
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

// patience leaves the driver most of the time that there is.
func patience(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return mostPatience
	}
	return min(mostPatience, time.Until(end)/4)
}

type withoutKey struct{}

// Without is ctx for calls that take the driver's way: for tests that compare.
func Without(ctx context.Context) context.Context { return context.WithValue(ctx, withoutKey{}, true) }

// Counted is how many reads a page's document has answered, and in how many
// messages it was asked: for tests.
func Counted(p *browser.Page) (answers, messages int64) {
	r := readers.Of(p)
	return r.answered.Load(), r.sent.Load()
}

// avoided are the contexts of a session whose reads are the driver's: a trace
// shows them, or its options change what they mean.
var avoided browser.State[*browser.Session, sync.Map]

// Avoid has the reads of a context take the driver's way, or no longer.
func Avoid(s *browser.Session, c playwright.BrowserContext, on bool) {
	if on {
		avoided.Of(s).Store(c, true)
		return
	}
	avoided.Of(s).Delete(c)
}

// Hooks keeps to the driver's way where a context asks for it.
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
