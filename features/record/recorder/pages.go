package recorder

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
)

// followed keeps the pages that are recorded.
var followed browser.State[*browser.Page, following]

type following struct {
	begun   atomic.Bool
	answers sync.Map // of dialogs, by the driver's name: a channel that is closed with the answer
}

// answer returns a channel that is closed once a dialog was answered, by the person or by
// another client of the browser.
func (f *following) answer(dialog string) chan struct{} {
	c, _ := f.answers.LoadOrStore(dialog, make(chan struct{}))
	return c.(chan struct{})
}

// follow adds a page to the recording, and records its end.
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

// closed records the end of a page. A page that closes itself does so in a replay, too. So
// nothing is written if the person did nothing on it, or did something just before.
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

// leave waits until the person has answered a dialog. The action that opened the dialog is
// written after the answer, which a replay needs first.
func (r *recording) leave(p *browser.Page, d playwright.Dialog) {
	r.do(func() { r.asking++ })
	defer r.do(func() { r.asking = max(0, r.asking-1); r.timer.Reset(settles) }) // another one may follow
	select {
	case <-followed.Of(p).answer(guid(d)):
		act.LeftTo("a person", p, d)
	case <-p.Gone:
	}
}

// named returns the name of a page in a request, "" for the active page.
func (r *recording) named(p *browser.Page) string {
	if p.Name == r.session.Active() {
		return ""
	}
	return p.Name
}
