package agent_test

import (
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPagesStandForLocators: getCleanHTML takes a page for a locator, and what is neither
// is refused by name.
func TestPagesStandForLocators(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestRefsAreSelectorsAndGoStaleAtOnce is quick")
	t.Parallel()
	p := start(t, "/login")
	pipetest.Has(t, p.Call("execute", pipetest.Object{"code": "await getCleanHTML({locator: page})"}), "<form", "Password")
	pipetest.Has(t, p.Call("execute", pipetest.Object{"code": "await getCleanHTML({locator: page, search: /Password/})"}), "Password")
	pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": "await getCleanHTML({locator: context})"}), "expected a locator, got a BrowserContext")
}

// What a script answers is bounded for a model, as every tool's answer by max; the tool more has the
// rest. A script whose own time is over says so.
func TestAnswersAreBounded(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	p := start(t, "/login")
	call := pipetest.OverMCP(p)
	code := "console.log('line '.repeat(9000)); 'word '.repeat(9000) + 'end'"
	for name, c := range map[string]struct {
		args  pipetest.Object
		most  int
		parts int
	}{"by default": {pipetest.Object{"code": code}, 41_000, 2}, "by max": {pipetest.Object{"code": code, "max": 500}, 700, 1},
		"as much as wanted": {pipetest.Object{"code": code, "max": 100_000}, 100_000, 0}} {
		got := call("execute", c.args)
		if len(got) > c.most || strings.Count(got, "characters left: call more") != c.parts {
			t.Errorf("%s: %d characters, %d cursors", name, len(got), strings.Count(got, "characters left: call more"))
		}
	}
	got := call("execute", pipetest.Object{"code": code})
	_, cursor, _ := strings.Cut(got[strings.LastIndex(got, `{"cursor":"`):], `{"cursor":"`)
	cursor, _, _ = strings.Cut(cursor, `"`)
	pipetest.Has(t, call("more", pipetest.Object{"cursor": cursor, "max": 50_000}), "word end")
	if got := p.Call("execute", pipetest.Object{"code": code}); len(got) < 90_000 {
		t.Errorf("the pipe's reply is cut: %d", len(got))
	}
	// On a busy machine it may be stopped before it says so itself, or pwpipe may not learn in time that it was.
	late := p.Fail("execute", pipetest.Object{"code": "await page.waitForTimeout(3000); await page.waitForSelector('#none')"}, "timeout", 4)
	if !regexp.MustCompile("the script met its limit of 4 s|the script did not end within 4 s|no answer after 4 s").MatchString(late) {
		t.Errorf("a script whose time is over: %s", late)
	}
	pipetest.Lacks(t, late, "ms exceeded")
	for tool, args := range map[string]pipetest.Object{"value": {"sel": "[name=email]"}, "attr": {"sel": "h1", "name": "hidden"}} {
		if tool == "attr" {
			call("eval", pipetest.Object{"code": "document.querySelector('h1').setAttribute('hidden', '')"})
		}
		if got := call(tool, args); got != `""` {
			t.Errorf("an empty %s: %q", tool, got)
		}
	}
	if got := call("attr", pipetest.Object{"sel": "h1", "name": "none"}); got != "null" {
		t.Errorf("no attribute: %q", got)
	}
}
