// Package fastpath answers reads, fills and clicks from the browser itself, past the
// driver. It leaves to the driver what it can't answer; the driver waits, and its
// errors are reported.
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
