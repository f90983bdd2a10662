package guard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// raising is a page with a button, and over it a frame of another origin that the page raises while
// it is clicked.
const raising = `<!doctype html><title>raises</title><body style="margin:0"><style>#w * { position: absolute; inset: 0; width: 200px; height: 100px; border: 0 }
	#fr { opacity: 0.01; z-index: -1 } .hovered:hover #fr { z-index: 9 }</style>
	<div id="w" style="position: relative; width: 200px; height: 100px"><button id="b" onclick="clicks++">b</button><iframe id="fr" src="%s/frame"></iframe></div>
	<script>let clicks = 0;
	const up = () => { fr.style.zIndex = 9 }, down = () => { fr.style.zIndex = '' };
	const how = {
		mousemove: () => addEventListener('mousemove', up, true), mouseover: () => b.addEventListener('mouseover', up),
		hover: () => w.className = 'hovered', soon: () => addEventListener('mousemove', () => setTimeout(up), true),
		'after the first click': () => b.addEventListener('click', up),
		never: () => {},
	};
	const begins = (name) => { clicks = 0; down(); how[name](); };</script>`

// twoOrigins serves pages, made of their path and the address of another origin, and there /frame.
// It counts the requests for /paid, by which the frame says that it was pressed.
func twoOrigins(t *testing.T, frame string, page func(path, other string) string) (site string, paid *atomic.Int64) {
	t.Helper()
	paid = &atomic.Int64{}
	var other string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/paid":
			paid.Add(1)
		case "/frame":
			fmt.Fprint(w, frame)
		default:
			fmt.Fprint(w, page(r.URL.Path, other))
		}
	}))
	t.Cleanup(s.Close)
	u, _ := url.Parse(s.URL)
	other = "http://bank.localhost:" + u.Port()
	return s.URL, paid
}

// A page puts a frame of another origin under the mouse while it clicks. The click is not made
// there; where it is, after all, it is an error.
func TestClicksStayInTheirDocument(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSecretsNeverLeave is quick")
	t.Parallel()
	site, paid := twoOrigins(t, `<body style="margin:0"><button style="position:absolute;inset:0" onclick="fetch('/paid')">pay</button>`,
		func(_, other string) string { return fmt.Sprintf(raising, other) })
	p := pipetest.Shared(t)
	for _, tool := range []string{"click", "dclick"} {
		for _, how := range []string{"mousemove", "mouseover", "hover", "soon", "after the first click"} {
			p.Call("nav", []any{site})
			p.Call("mouse-move", []any{600, 500})
			p.Call("eval", []any{fmt.Sprintf("begins(%q)", how)})
			before := paid.Load()
			got := p.Try(tool, []any{"#b"}, "timeout", 1)
			p.Call("eval", []any{"fetch('/').then(() => 1)"})
			if n := paid.Load() - before; n > 0 && (got.Error == "" || how != "soon") {
				t.Errorf("%s, %s: the other origin's button was pressed %d times; answer: %q", tool, how, n, got.Error)
			}
			if clicks := p.Call("eval", []any{"clicks"}); got.Error == "" && clicks == "0" {
				t.Errorf("%s, %s: answered ok, and nothing was clicked", tool, how)
			}
		}
	}
	// A click on a frame is seen by the frame alone.
	p.Call("nav", []any{site})
	p.Call("eval", []any{"up(), 1"})
	before := paid.Load()
	for _, tool := range []string{"click", "dclick", "click"} {
		p.Call(tool, []any{"#fr"})
	}
	pipetest.Eventually(t, "the frame is clicked", func() bool { return paid.Load() == before+4 })
	// What comes between a move and a click is told to no page.
	p.Call("nav", []any{site})
	p.Call("eval", []any{"for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input']) addEventListener(type, () => document.title = type, true)"})
	p.Call("click", []any{"#b"})
	if title := p.Text("title", nil); title != "raises" {
		t.Errorf("the page heard of %q", title)
	}
}
