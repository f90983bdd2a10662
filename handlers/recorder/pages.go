package recorder

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
)

// followed are pages that are recorded.
var followed browser.State[*browser.Page, following]

type following struct {
	begun   atomic.Bool
	answers sync.Map // of dialogs, by the driver's name: a channel that is closed with the answer
}

// answer is closed once a dialog was answered, by the person or by whoever shares the
// browser.
func (f *following) answer(dialog string) chan struct{} {
	c, _ := f.answers.LoadOrStore(dialog, make(chan struct{}))
	return c.(chan struct{})
}

// follow hears of the page's end.
func (r *recording) follow(p *browser.Page) {
	r.mu.Lock()
	r.pages[guid(p.PW)] = p
	r.mu.Unlock()
	if followed.Of(p).begun.Swap(true) {
		return
	}
	p.PW.OnClose(func(playwright.Page) {
		if r := recordings.Of(p.Session).Load(); r != nil {
			r.do(func() { r.closed(p) })
		}
	})
}

// closed is the end of a page. One that ends by itself does so on a replay, too: where the
// person has done nothing, or has done something just now, it may have.
func (r *recording) closed(p *browser.Page) {
	last, used := r.last[p]
	delete(r.last, p)
	r.mu.Lock()
	delete(r.pages, guid(p.PW))
	r.mu.Unlock()
	if !used || len(r.session.OpenPages()) == 0 || time.Since(last.at) < soon {
		return
	}
	r.flush()
	r.send(step{Method: "close-page", Params: map[string]any{"pid": p.Name}})
}

// answered writes the answer to a dialog.
func (r *recording) answered(e *event) {
	a := e.Signal
	params := map[string]any{"action": "dismiss"}
	if a.Accepted {
		params["action"] = "accept"
		if a.Kind == "prompt" {
			params["text"] = a.Text
		}
	}
	if a.Kind != "beforeunload" || !a.Accepted { // else it is the default
		r.send(step{Method: "dialog", Params: params, Page: e.name})
	}
	if c := followed.Of(e.page).answer(a.Dialog); !isClosed(c) {
		close(c)
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// leave waits until the person has answered a dialog. What the dialog came from is
// written after the answer, which has to be known before.
func (r *recording) leave(p *browser.Page, d playwright.Dialog) {
	r.do(func() { r.asking++ })
	defer r.do(func() { r.asking = max(0, r.asking-1); r.timer.Reset(settles) }) // another one may follow
	select {
	case <-followed.Of(p).answer(guid(d)):
		act.LeftTo("a person", p, d)
	case <-p.Gone:
	}
}

// named is how a request names a page.
func (r *recording) named(p *browser.Page) string {
	if p.Name == r.session.Active() {
		return ""
	}
	return p.Name
}
