// Package record_test records what a person does, and replays it. The person is a
// DevTools client of its own, which sends mouse and keys.
package record_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// person uses the pages of a browser with mouse and keys.
type person struct {
	t       *testing.T
	browser *cdp.Session
	page    *cdp.Session
}

// sits has a person at a browser's page at a URL.
func sits(t *testing.T, addr, url string) *person {
	t.Helper()
	conn, err := cdp.Dial(t.Context(), "http://"+addr, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	p := &person{t: t}
	if p.browser, err = conn.Browser(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.at(url)
	return p
}

func (p *person) call(s *cdp.Session, method string, params, result any) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), pipetest.Patience)
	defer cancel()
	if err := s.Call(ctx, method, params, result); err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
}

// at goes to the page at a URL, once there is one.
func (p *person) at(url string) {
	p.t.Helper()
	pipetest.Eventually(p.t, "a page at "+url, func() bool {
		var open struct {
			Infos []struct{ TargetID, Type, URL string } `json:"targetInfos"`
		}
		p.call(p.browser, "Target.getTargets", nil, &open)
		for _, target := range open.Infos {
			if at, _, _ := strings.Cut(target.URL, "#"); target.Type == "page" && at == url {
				s, err := p.browser.Attach(p.t.Context(), target.TargetID)
				if err != nil {
					return false
				}
				p.page = s
				p.call(s, "Page.enable", nil, nil)
				return p.inBar("Stop Recording") != 0 // it records
			}
		}
		return false
	})
}

// eval is the value of an expression in the page.
func (p *person) eval(expression string) (value any) {
	p.t.Helper()
	var r struct {
		Result    struct{ Value any }
		Exception *struct{ Text string } `json:"exceptionDetails"`
	}
	p.call(p.page, "Runtime.evaluate", pipetest.Object{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if r.Exception != nil {
		p.t.Fatalf("%s: %s", expression, r.Exception.Text)
	}
	return r.Result.Value
}

// element is an expression for the first element of a CSS selector; after " in " comes
// the selector of the frame.
func element(css, frame string) string {
	if frame != "" {
		return fmt.Sprintf("document.querySelector(%q)?.contentDocument?.querySelector(%q)", frame, css)
	}
	return fmt.Sprintf("document.querySelector(%q)", css)
}

// where waits for an element that rests, and answers where its middle is.
func (p *person) where(css, frame string) (x, y float64) {
	p.t.Helper()
	offset := "{x: 0, y: 0}"
	if frame != "" {
		offset = fmt.Sprintf("document.querySelector(%q).getBoundingClientRect()", frame)
	}
	pipetest.Eventually(p.t, css+" in sight", func() bool {
		text, _ := p.eval(fmt.Sprintf(`(() => { const e = %s; if (!e || document.readyState !== 'complete') return ''; e.scrollIntoView({block: 'center'});
			const b = e.getBoundingClientRect(), o = %s; return b.width ? JSON.stringify([b.x + o.x + b.width / 2, b.y + o.y + b.height / 2]) : ''; })()`,
			element(css, frame), offset)).(string)
		var at []float64
		if json.Unmarshal([]byte(text), &at) != nil || len(at) != 2 {
			return false
		}
		rests := x == at[0] && y == at[1]
		x, y = at[0], at[1]
		return rests
	})
	return x, y
}

// click clicks an element with a button, so often.
func (p *person) click(css string, times ...int) { p.t.Helper(); p.press(css, "", "left", times...) }

func (p *person) press(css, frame, button string, times ...int) {
	p.t.Helper()
	x, y := p.where(css, frame)
	n := 1
	if len(times) > 0 {
		n = times[0]
	}
	mouse := func(kind string, count int) {
		p.t.Helper()
		at := pipetest.Object{"type": kind, "x": x, "y": y, "button": button, "clickCount": count}
		p.page.Send("Input.dispatchMouseEvent", at, nil) // a dialog may keep the answer
	}
	mouse("mouseMoved", 0)
	for i := 1; i <= n; i++ {
		mouse("mousePressed", i)
		mouse("mouseReleased", i)
	}
}

// types enters a text with the keyboard.
func (p *person) types(text string) {
	p.t.Helper()
	for _, c := range text {
		for _, kind := range []string{"keyDown", "keyUp"} {
			key := pipetest.Object{"type": kind, "key": string(c)}
			if kind == "keyDown" {
				key["text"] = string(c)
			}
			p.call(p.page, "Input.dispatchKeyEvent", key, nil)
		}
	}
}

// key presses a key that writes nothing.
func (p *person) key(name string, code int) {
	p.t.Helper()
	text := map[string]string{"Enter": "\r", " ": " "}[name]
	p.page.Send("Input.dispatchKeyEvent", pipetest.Object{"type": "keyDown", "key": name, "windowsVirtualKeyCode": code, "text": text}, nil)
	p.page.Send("Input.dispatchKeyEvent", pipetest.Object{"type": "keyUp", "key": name, "windowsVirtualKeyCode": code}, nil)
}

// sees waits until an expression holds in the page.
func (p *person) sees(expression string) {
	p.t.Helper()
	pipetest.Eventually(p.t, expression, func() bool {
		ok, _ := p.eval(expression).(bool)
		return ok
	})
}

// told waits until the recorder has heard what was done before: it is asked where it runs,
// out of the page's reach.
func (p *person) told() {
	p.t.Helper()
	worlds := make(chan int, 100)
	off := p.page.On("Runtime.executionContextCreated", func(params json.RawMessage) {
		var e struct {
			Context struct {
				ID   int
				Name string
			}
		}
		if json.Unmarshal(params, &e) == nil && strings.HasPrefix(e.Context.Name, "__playwright_utility_world") {
			worlds <- e.Context.ID
		}
	})
	defer off()
	p.call(p.page, "Runtime.enable", nil, nil)
	asked := pipetest.Object{"expression": "__pw_recorderState()", "awaitPromise": true, "contextId": <-worlds}
	p.call(p.page, "Runtime.evaluate", asked, nil)
}

// inBar is the node of an item of the recorder's bar, which stands in a closed shadow
// root; 0 for none.
func (p *person) inBar(title string) int {
	p.t.Helper()
	var document struct{ Root node }
	p.call(p.page, "DOM.getDocument", pipetest.Object{"depth": -1, "pierce": true}, &document)
	return document.Root.find(title)
}

// node is one of the document.
type node struct {
	NodeID      int      `json:"nodeId"`
	Attributes  []string `json:"attributes"`
	Children    []node   `json:"children"`
	ShadowRoots []node   `json:"shadowRoots"`
}

func (n node) attribute(name string) string {
	for i := 0; i+1 < len(n.Attributes); i += 2 {
		if n.Attributes[i] == name {
			return n.Attributes[i+1]
		}
	}
	return ""
}

func (n node) any(is func(node) bool) bool {
	if is(n) {
		return true
	}
	for _, child := range append(n.Children, n.ShadowRoots...) {
		if child.any(is) {
			return true
		}
	}
	return false
}

// find is the number of the node with a title, 0 for none.
func (n node) find(title string) (id int) {
	n.any(func(n node) bool {
		if n.attribute("title") == title {
			id = n.NodeID
		}
		return id != 0
	})
	return id
}
