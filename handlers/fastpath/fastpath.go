// Package fastpath answers reads, fills and clicks from the browser itself, past the
// driver. It leaves to the driver what it can't answer; the driver waits, and its
// errors are reported.
package fastpath

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
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
type Kind struct {
	name string
	most time.Duration // bounds the wait for an answer, 0 for MaxPatience; then the driver is asked

	aside bool // no client hears the answer: nothing that the driver reports later may contradict it
}

var kinds strings.Builder

// Define makes a kind, for a package variable. js is a JavaScript function of a page, a
// selector and an argument. page.one(sel) is the first match, page.all(sel) are all,
// page.injected is Playwright's own injected script. If the function answers undefined
// or throws, the driver is asked. It must change nothing.
func Define(name, js string) Kind { return define(name, js) }

// define is Define for kinds that may change the page.
func define(name, js string) Kind {
	fmt.Fprintf(&kinds, "%q: %s,\n", name, js)
	return Kind{name: name}
}

// DefineLong is Define for a question that may take long on a large page, and by the
// driver takes as long again.
func DefineLong(name, js string) Kind {
	kind := define(name, js)
	kind.most = longest / 2
	return kind
}

// DefineAside is Define for a question of which no client hears, and which may change what the library
// knows: it does not put the page ahead of the driver.
func DefineAside(name, js string) Kind {
	kind := define(name, js)
	kind.aside = true
	return kind
}

// MaxPatience bounds the wait for an answer. Then the driver is asked, whose own wait
// ends with the usual error. Tests that ask which of the two has answered change it: on a
// slow machine both are right.
var MaxPatience = 500 * time.Millisecond

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
	raw := q.wait(patience(ctx, cmp.Or(kind.most, MaxPatience)))
	if string(raw) == long {
		return false, ErrLong
	}
	if raw != nil && json.Unmarshal(raw, to) == nil {
		r.answered.Add(1)
		if !kind.aside {
			ahead.Of(p).Store(true)
		}
		return true, nil
	}
	return false, nil
}

// patience leaves most of the remaining time to the driver.
func patience(ctx context.Context, most time.Duration) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return most
	}
	return min(most, time.Until(end)/4)
}

type withoutKey struct{}

// Without makes calls use the driver, for tests that compare.
func Without(ctx context.Context) context.Context { return context.WithValue(ctx, withoutKey{}, true) }

type unshownKey struct{}

// Unshown makes reads go past the driver also while a trace is recorded, which does not show them.
func Unshown(ctx context.Context) context.Context { return context.WithValue(ctx, unshownKey{}, true) }

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
			if _, err = p.PW.Title(); err == nil || !pwerrors.IsGone(err) && !pwerrors.IsLeft(err) {
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

// CatchUpBy is [CatchUp] by a question to the driver about a page.
func CatchUpBy(p *browser.Page, ask func() error) error {
	was := ahead.Of(p).Swap(false)
	err := ask()
	if err != nil && was {
		ahead.Of(p).Store(true)
	}
	return err
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
// page with one message, and types the text with another, in the same document. In other cases byDriver
// does all of it, including the wait; then nothing was changed. Fill ends as
// [endAct] says.
func Fill(ctx context.Context, p *browser.Page, sel, text string, byDriver func() error) error {
	s := p.Direct()
	if s == nil || text == "" || slow(p) || readers.Of(p).elsewhere(ctx) { // the driver empties a field by a key
		return byDriver()
	}
	c := courses.Of(p)
	if c.Still(s) && fill(ctx, p, sel, text) {
		return nil
	}
	return c.ByDriver(ctx, s, byDriver)
}

// slow reports whether the driver makes each act, with its pause (slowMo).
func slow(p *browser.Page) bool { return p.Session.Browser.Config.Extra.SlowMo > 0 }

// fill reports whether the element was filled. Once begun, it runs to its end even if
// nobody waits for the call: it must not come after the next call.
func fill(ctx context.Context, p *browser.Page, sel, text string) bool {
	late, most := time.Now().Add(patience(ctx, MaxPatience)), browser.Slice
	typing, stop := outliving(ctx)
	defer stop()
	if end, ok := ctx.Deadline(); ok { // the driver gets half of the time, to report what is late
		most = min(most, time.Until(end)/2)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	id := acts.Add(1)
	q := &question{kind: fillable.name, sel: sel, arg: []any{id, p.PW.URL(), late.UnixMilli(), text},
		ctx: ctx, acts: true, answer: make(chan json.RawMessage, 1)}
	r := readers.Of(p)
	r.ask(q)
	if raw := q.wait(most); string(raw) != "true" {
		return false
	}
	s, object := p.Direct(), r.document.asked()
	asking.Of(p).beginAct(s)
	// The text goes to that document alone: Input.insertText types into what has the focus by
	// then. If fill gave up after the text was sent, the driver would type it again.
	typed, types := true, fmt.Sprintf("this.page.type(%d, text)", id)
	if s == nil || after(typing, s, object, types, text, &typed) != nil || !typed {
		return false
	}
	r.answered.Add(1)
	endAct(p, s)
	return true
}

// outliving is the context of a message that changes the page. It ends with ctx's
// deadline, or a while after ctx is canceled.
func outliving(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	forget := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			cancel()
		}
		time.AfterFunc(browser.Slice, cancel)
	})
	return longer, func() { forget(); cancel() }
}

// maxTogether bounds the questions of a message.
const maxTogether = 256

var readers = browser.State[*browser.Page, reader]{New: func(p *browser.Page) *reader { return &reader{page: p} }}

// The answers of fastpath.js for a question that did not fit, and for one whose answer
// is too long.
const (
	again = "1"
	long  = "2"
)

// ErrLong: an answer is too long. The driver must not be asked.
var ErrLong = provider.Errorf(provider.KindFailed,
	"the result is longer than 33554432 characters, and no more are handed over").WithHint("ask for a part of it")

// longest bounds the wait for a message; the callers have given up by then.
const longest = 10 * time.Second
