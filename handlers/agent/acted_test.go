package agent_test

import (
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// An act says over MCP what it did; the pipe's own replies stay as they are.
func TestActsSayWhatTheyDid(t *testing.T) {
	t.Parallel()
	p := start(t, "/")
	call := pipetest.OverMCP(p)
	show(p, `<p id=out></p><button id=dead>Dead</button><button id=write onclick="out.textContent='x'">Write</button>
<button id=ask onclick="confirm('Sure?')">Ask</button><button id=open onclick="window.open('about:blank')">Open</button>
<button id=throw onclick="throw new Error('boom')">Throw</button><button id=log onclick="console.error('no', 'wind')">Log</button>`)
	for sel, want := range map[string]string{
		"#dead":  "ok\n→ nothing changed in the document",
		"#ask":   "ok\n→ confirm \"Sure?\" was dismissed",
		"#open":  "; calls go on with p1",
		"#log":   "→ error: no wind",
		"#throw": "→ error: boom",
		"#write": "ok",
	} {
		if got := call("click", pipetest.Object{"sel": sel}); !strings.Contains(got, want) || want == "ok" && got != want {
			t.Errorf("%s: %q, want %q", sel, got, want)
		}
	}
	lost := "await page.evaluate(() => fetch('http://127.0.0.1:1/').catch(() => 0)); 7"
	pipetest.Has(t, call("execute", pipetest.Object{"code": lost}), "7\n", "→ request failed: GET http://127.0.0.1:1/")
	if got := p.Call("click", []string{"#dead"}); got != "null" {
		t.Errorf("the pipe's reply changed: %s", got)
	}
	p.Call("nav", []string{"/"})
	pipetest.Has(t, call("click", pipetest.Object{"sel": "text=Shop"}), "→ went to http://127.0.0.1")
	p.Call("nav", []string{"/"})
	statuses := "await page.evaluate(() => Promise.all([399, 400].map((n) => fetch('/status/' + n))));"
	pipetest.Has(t, call("execute", pipetest.Object{"code": statuses + "await page.click('text=Shop'); 7"}),
		"7\n", "→ request failed: GET "+p.Site+"/status/400: 400")
}

// An act of profile agent answers what changed of the outline, in a few lines, and the whole of
// a document that is new.
func TestActsAnswerTheOutline(t *testing.T) {
	t.Parallel()
	p := startAgent(t, "/form")
	call := pipetest.OverMCP(p)
	first := call("nav", pipetest.Object{"url": "/login"})
	pipetest.Has(t, first, "ok\n- ", "textbox \"E-mail\"", "button \"Sign in\"")
	email := ref(t, first, `textbox "E-mail"`)
	if got, want := call("fill", pipetest.Object{"sel": email, "val": "ada@mail.example"}), "[ref="+email+"]: ada@mail.example"; !strings.HasPrefix(got, "ok\n~ textbox") ||
		!strings.HasSuffix(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("a filled field: %q", got)
	}
	call("click", pipetest.Object{"sel": "h1"}) // the field loses the focus, and says that it changed
	if got := call("click", pipetest.Object{"sel": "h1"}); got != "ok\n→ nothing changed in the document" {
		t.Errorf("a click on nothing: %q", got)
	}
	if got := call("execute", pipetest.Object{"code": "await page.title()"}); strings.Contains(got, "\n") {
		t.Errorf("a script that reads: %q", got)
	}
	// What a script draws a little later belongs to what the act did.
	late := `document.querySelector('h1').onclick = () => setTimeout(() => fetch('/login').then(() => {
	  document.body.insertAdjacentHTML('beforeend', '<i class=late>late words</i><button class=late>Late</button>') }), 30); 0`
	call("eval", pipetest.Object{"code": late, "outline": "none"})
	call("snapshot", nil) // the heading can be clicked now, and says so
	got := call("click", pipetest.Object{"sel": "h1"})
	pipetest.Has(t, got, "+ \"late words\"", "+ button \"Late\" [ref=")
	if strings.Count(got, "\n") > 4 {
		t.Errorf("two new lines: %q", got)
	}
	show := `document.querySelector('h1').onclick = () => document.querySelectorAll('.late').forEach((e) => e.remove()); 0`
	call("eval", pipetest.Object{"code": show, "outline": "none"})
	pipetest.Has(t, call("click", pipetest.Object{"sel": "h1"}), "- \"late words\"")
	// Much that is new is bounded, and says so.
	many := `for (let i = 0; i < 400; i++) document.body.insertAdjacentHTML('beforeend', '<p>Paragraph ' + i + ' is about ' + (i * 7919) + ' things</p><button>B' + i + '</button>')`
	got = call("eval", pipetest.Object{"code": many})
	pipetest.Has(t, got, "more changed lines: snapshot shows the page)")
	if n := count(t, got); n > 900 {
		t.Errorf("%d tokens of a diff", n)
	}
	pipetest.Lacks(t, call("eval", pipetest.Object{"code": "document.body.append('x')", "outline": "none"}), "+ ")
	pipetest.Has(t, call("eval", pipetest.Object{"code": "1", "outline": "whole"}), "textbox \"E-mail\"")
	pipetest.Has(t, call("click", pipetest.Object{"sel": "h1", "outline": "all"}), "outline: expected diff, whole or none")
	more := "await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p>new words')); 7"
	for _, c := range [][2]string{{"none", `^7$`}, {"diff", `(?s)^7\n.*\+ "new words"`},
		{"whole", `(?s)^7\n- .*textbox "E-mail".*new words`}} {
		got := call("execute", pipetest.Object{"code": more, "outline": c[0]})
		if !regexp.MustCompile(c[1]).MatchString(got) || c[0] == "diff" && strings.Contains(got, "textbox") {
			t.Errorf("execute with outline %s: %s", c[0], got)
		}
	}
	// A script answers where it ended; the pipe's own replies stay as they are.
	got = call("execute", pipetest.Object{"code": "await page.goto('/shop'); 7"})
	pipetest.Lacks(t, got, "went to") // the script says it
	pipetest.Has(t, got, "7\n- ", "[ref=", "contentinfo: as before [refs: e")
	// What the pages of a site have in common is said once; its refs act.
	m := regexp.MustCompile(`banner: as before \[refs: e\d+, (e\d+)-e\d+\]`).FindStringSubmatch(got)
	if m == nil {
		t.Fatalf("the navigation is not said in short:\n%s", got)
	}
	pipetest.Has(t, call("click", pipetest.Object{"sel": m[1]}), "→ went to http", "/projects")
	p.Call("route", []any{"**/empty", pipetest.Object{"contentType": "text/html", "body": "<i></i>"}})
	p.Call("route", []any{"**/one", pipetest.Object{"contentType": "text/html", "body": "<button>One</button>"}})
	call("nav", pipetest.Object{"url": "/one"})
	pipetest.Has(t, call("nav", pipetest.Object{"url": "/empty"}), "ok\n(nothing to see: ")
	if got := p.Call("nav", []string{"/login"}); got != "null" {
		t.Errorf("the pipe's reply changed: %s", got)
	}
	pipetest.Has(t, p.Fail("click", pipetest.Object{"sel": "h1", "outline": "diff"}), "outline: only acts over MCP and in a shell answer one")
}

// That nothing changed is said where the page is at rest, not while a timer, a frame or a link
// may change something.
func TestNothingIsSaidTooSoon(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	p := startAgent(t, "/", "--act-outline", "none")
	call := pipetest.OverMCP(p)
	show(p, `<p id=out></p><button id=dead>Dead</button>
<button id=timer onclick="setTimeout(() => out.textContent += 'x', 30)">Timer</button>
<button id=frames onclick="let n = 0; const f = () => n++ < 3 ? requestAnimationFrame(f) : out.textContent += 'x'; f()">Frames</button>
<button id=tasks onclick="const c = new MessageChannel(); c.port1.onmessage = () => out.textContent += 'x'; c.port2.postMessage(1)">Tasks</button>
<a id=save download="a.txt" href="data:text/plain,x">Save</a>`)
	for range 5 {
		for sel, want := range map[string]string{"#timer": "ok", "#frames": "ok", "#tasks": "ok", "#dead": "ok\n→ nothing changed in the document"} {
			if got := call("click", pipetest.Object{"sel": sel, "timeout": 60}); got != want {
				t.Errorf("%s: %q, want %q", sel, got, want)
			}
		}
		got := call("click", pipetest.Object{"sel": "#save", "timeout": 60}) // it may not have come whole yet
		if !strings.HasPrefix(got, "ok\n→ downloaded /") && !strings.HasPrefix(got, "ok\n→ a download began") {
			t.Errorf("#save: %q", got)
		}
	}
}
