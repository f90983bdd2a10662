package recorder

import (
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
)

// closings are the dialogs of a page that were answered, by the person or by whoever
// shares the browser.
var closings = browser.State[*browser.Page, answers]{New: func(*browser.Page) *answers {
	return &answers{closed: make(chan answer, 16)}
}}

type answers struct {
	followed bool // guarded by the recording's lock
	closed   chan answer
}

// answer is one to a dialog.
type answer struct {
	accepted bool
	text     string
}

// follow hears of the page's end and of its dialogs' answers.
func (r *recording) follow(p *browser.Page) {
	a := closings.Of(p)
	r.mu.Lock()
	known := a.followed
	a.followed = true
	r.mu.Unlock()
	if known {
		return
	}
	p.PW.OnClose(func(playwright.Page) { r.do(func() { r.closed(p) }) })
	p.PW.OnDownload(func(playwright.Download) { r.do(func() { r.downloads(p) }) })
	go func() {
		if p.Attached() != nil {
			return
		}
		s, err := p.DevToolsSession()
		if err != nil {
			return
		}
		s.On("Page.javascriptDialogClosed", func(e map[string]any) {
			accepted, _ := e["result"].(bool)
			text, _ := e["userInput"].(string)
			select {
			case a.closed <- answer{accepted, text}:
			default:
			}
		})
		_, _ = s.Send("Page.enable", nil)
	}()
}

// closed is the end of a page. One that ends by itself does so on a replay, too: where the
// person has done nothing, or has done something just now, it may have.
func (r *recording) closed(p *browser.Page) {
	last, used := r.last[p]
	delete(r.last, p)
	if !used || len(r.session.OpenPages()) == 0 || time.Since(last.at) < soon {
		return
	}
	r.flush()
	r.send(step{Method: "close-page", Params: map[string]any{"pid": p.Name}})
}

// leave waits until the person has answered a dialog. What the dialog came from is
// written after the answer, which has to be known before.
func (r *recording) leave(p *browser.Page, d playwright.Dialog) {
	r.do(func() { r.asking = true })
	defer r.do(func() { r.asking = false; r.timer.Reset(settles) }) // another one may follow
	select {
	case a := <-closings.Of(p).closed:
		params := map[string]any{"action": "dismiss"}
		if a.accepted {
			params["action"] = "accept"
			if d.Type() == "prompt" {
				params["text"] = a.text
			}
		}
		if d.Type() != "beforeunload" || !a.accepted { // else it is the default
			r.do(func() { r.send(step{Method: "dialog", Params: params, Page: r.named(p)}) })
		}
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
