package eachtool_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLabelPage: a label names its page wherever its handle does, until the page closes.
func TestLabelPage(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript pages is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	site := pipetest.ServePages(t, map[string]string{"/one": "", "/two": "",
		"/opens": `<button onclick="window.open('/two', 'login')">Open</button>`})
	p.Call("nav", list(site+"/one"))
	p.Call("new-page", list("c1"))
	p.Call("nav", list(site+"/two"), "page", "p2")
	p.Call("label-page", list("login"), "page", "p2")
	pipetest.Steps(p, pipetest.Does("title", nil, `"/one"`), pipetest.Does("use-page", list("login"), "null"),
		pipetest.Does("title", nil, `"/two"`), pipetest.Does("use-page", list("p1"), "null"))
	if got := p.Call("title", nil, "page", "login"); got != `"/two"` {
		t.Errorf("the page login is %s", got)
	}
	pipetest.Has(t, p.Call("pages", nil), `"page":"p2","label":"login"`)
	for _, label := range []string{"p1", "P7", "c2", "p99", "P12", "c٣"} {
		p.Complains(label+" has the form of a handle", "label-page", list(label))
	}
	for _, label := range []string{"1a", "a b", "-x", strings.Repeat("a", 41), strings.Repeat("é", 41), "a/b", "a\n"} {
		p.Complains("label: expected a letter", "label-page", list(label))
	}
	for _, label := range []string{"a", "ä1", "a-b_c2", "pp1", "p", "p1a", "x1", "a²", "日本語", strings.Repeat("é", 40), "login"} {
		p.Call("label-page", list(label), "page", "p2")
	}
	p.Complains("label: login is p2 already", "label-page", list("login"), "page", "p1")
	p.Complains("no page cart; open pages: p1, p2 (login)", "title", nil, "page", "cart")
	p.Complains("no page cart; open pages: p1, p2 (login)", "use-page", list("cart"))
	// A pop-up whose window has that name is another page.
	p.Call("nav", list(site+"/opens"))
	p.Call("click", list("button"))
	pipetest.Eventually(t, "the pop-up has loaded", func() bool { return p.Call("title", nil, "page", "p3") == `"/two"` })
	p.Call("eval", list("document.title = 'still p2'"), "page", "login")
	if got := p.Call("title", nil, "page", "p2"); got != `"still p2"` {
		t.Errorf("p2 is %s", got)
	}
	p.Call("close-page", list("login"))
	p.Complains("no page login; open pages: p1, p3", "title", nil, "page", "login")
	p.Call("label-page", list("login"), "page", "p3")
	p.Call("eval", list("setTimeout(close, 0)"), "page", "login") // it closes by itself
	pipetest.Eventually(t, "the end of the pop-up", func() bool {
		return p.Try("title", nil, "page", "login").Error != ""
	})
	p.Call("label-page", list("login"))
	p.Call("label-page", list("shop"))
	p.Complains("no page login; open pages: p1 (shop)", "title", nil, "page", "login")
	p.Call("label-page", nil)
	p.Complains("no page shop; open pages: p1", "title", nil, "page", "shop")
}

// TestLabelsInABurst: requests that name a page by its handle and by its label, sent at once
// and before the label is there, run in their order.
func TestLabelsInABurst(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript pages is quick")
	t.Parallel()
	p := pipetest.Start(t)
	const each = `{"id":%d,"method":"eval","params":["document.title += '%d,'"],"page":"%s"}`
	p.Send(`{"id":-1,"method":"new-page","params":["c1"]}`)
	lines, want := []string{`{"id":-2,"method":"label-page","params":["cart"],"page":"p2"}`}, ""
	for i := range 40 {
		lines = append(lines, fmt.Sprintf(each, i, i, []string{"p2", "cart"}[i*7%3%2]))
		want += fmt.Sprint(i, ",")
	}
	if line := p.Line(); !strings.Contains(line, "no context c1") {
		t.Fatal(line)
	}
	p.Call("title", nil)
	p.Call("new-page", list("c1"))
	p.Send(strings.Join(lines, "\n"))
	for range lines {
		if line := p.Line(); strings.Contains(line, "error") {
			t.Fatal(line)
		}
	}
	if got := p.Text("title", nil, "page", "cart"); got != want {
		t.Errorf("the order was %s", got)
	}
}
