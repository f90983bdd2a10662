// Package agent_test tests the tools of profile agent over the real pipe.
package agent_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// start is a pwpipe on a page of the sample site. It has no profile: agent would
// start a process for scripts, which most of these tests don't need.
func start(t *testing.T, url string) *pipetest.Pipe {
	t.Helper()
	return pipetest.SharedOn(t, url)
}

// startTelling is start where acts over MCP answer the outline, as with profile agent.
func startTelling(t *testing.T, url string) *pipetest.Pipe {
	t.Helper()
	return pipetest.SharedOn(t, url, "--act-outline", "diff")
}

// startAgent is start with profile agent.
func startAgent(t *testing.T, url string, args ...string) *pipetest.Pipe {
	t.Helper()
	return pipetest.SharedOn(t, url, append([]string{"--profile", "agent"}, args...)...)
}

// awake waits for the button of the form that sleeps for a second, for tests that
// look at the page twice.
func awake(p *pipetest.Pipe) { p.Call("wait", []string{"button:has-text('Awake')"}) }

// ref finds the ref on the line that holds a text.
func ref(t *testing.T, snapshot, text string) string {
	t.Helper()
	for line := range strings.Lines(snapshot) {
		if m := regexp.MustCompile(`\[ref=(\w+)\]`).FindStringSubmatch(line); m != nil && strings.Contains(line, text) {
			return m[1]
		}
	}
	t.Fatalf("no line with a ref holds %q:\n%s", text, snapshot)
	return ""
}

func TestRefsAreSelectorsAndGoStaleAtOnce(t *testing.T) {
	t.Parallel()
	p := start(t, "/shop")
	s := p.Text("snapshot", nil)
	link := ref(t, s, `link "Cart`)
	for _, form := range []string{link, "ref=" + link, "aria-ref=" + link, "[ref=" + link + "]", "@" + link} {
		pipetest.Has(t, p.Text("txt", []string{form}), "Cart")
	}
	again := p.Text("snapshot", nil)
	if ref(t, again, `link "Cart`) != link {
		t.Error("an element that is still there changed its ref")
	}
	p.Call("click", []string{link})
	pipetest.Has(t, p.Text("url", nil), "/cart")
	const hint = "take a ref of the newest outline, or call snapshot"
	pipetest.Has(t, p.Fail("click", []string{link}), link+" is stale", hint)
	pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": "await $('" + link + "').click()"}), link+" is stale", hint)
	pipetest.Has(t, p.Fail("click", []string{"f9e1"}), "there is no ref f9e1", "snapshot gives refs")
	if strings.Contains(p.Text("snapshot", nil), "[ref="+link+"]") {
		t.Error("a ref was given twice")
	}
	button := ref(t, p.Text("snapshot", nil), `link "Shop"`)
	p.Call("eval", []string{"document.querySelector('header').innerHTML = ''"})
	pipetest.Has(t, p.Fail("click", []string{button}), "is stale", hint)
}

func TestFoldedItemsCanBeReached(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/shop")
	s := p.Text("snapshot", nil)
	m := regexp.MustCompile(`listitem \(and \d+ more like it\) \[refs: e(\d+)-`).FindStringSubmatch(s)
	if m == nil {
		t.Fatalf("no list is folded:\n%s", s)
	}
	item := p.Text("snapshot", pipetest.Object{"selector": "e" + m[1]})
	pipetest.Has(t, item, "[ref=", "to cart")
	p.Call("click", []string{"e" + m[1] + " >> role=link"})
	pipetest.Has(t, p.Text("url", nil), "/shop/p/")
}

func TestFrames(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript page-frames is quick")
	t.Parallel()
	p := start(t, "/frames")
	var s string
	pipetest.Eventually(t, "the frames answer", func() bool { // on a busy machine one may be late for an outline
		s = p.Text("snapshot", nil)
		return strings.Contains(s, "Send from inner")
	})
	button := ref(t, s, "Send from inner")
	if !strings.HasPrefix(button, "f") {
		t.Errorf("the ref of an element in a frame is %s", button)
	}
	p.Call("click", []string{button})
	pipetest.Has(t, p.Text("html", []string{"main"}), "inner: inner")
	// After a reload the frames have new refs, also in an outline of one frame, and the old ones no new meaning.
	one := pipetest.Object{"selector": "#frame-srcdoc >> internal:control=enter-frame >> body"}
	old := ref(t, p.Text("snapshot", one), "Press in srcdoc")
	p.Call("page.reload", nil)
	press := ref(t, p.Text("snapshot", one), "Press in srcdoc")
	p.Call("click", []string{press})
	for _, ref := range []string{button, old} {
		pipetest.Has(t, p.Fail("click", []string{ref}), "ref "+ref+" is stale")
	}
}

func TestSnapshotOptions(t *testing.T) {
	t.Parallel()
	p := start(t, "/form")
	awake(p)
	whole := p.Text("snapshot", nil)
	for line := range strings.Lines(p.Text("snapshot", pipetest.Object{"interactive": true})) {
		if !strings.Contains(line, "[ref=") {
			t.Errorf("interactive shows %q", line)
		}
	}
	pipetest.Has(t, p.Text("snapshot", pipetest.Object{"depth": 1}), "main (", "more inside)")
	pipetest.Has(t, p.Text("snapshot", pipetest.Object{"full": true}), "[level=1]", "/url: ")
	// max is characters and cuts as it cuts every reply; lines stay whole.
	type piece struct {
		Text, Cursor string
		Left         int
	}
	cut := func(params pipetest.Object) (got piece) {
		if err := json.Unmarshal([]byte(p.Call("snapshot", params)), &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	got, pages := "", 1
	for next := cut(pipetest.Object{"max": 500}); ; pages++ {
		if got += next.Text; next.Cursor == "" {
			break
		}
		if n := len([]rune(next.Text)); n > 500 || !strings.HasSuffix(next.Text, "\n") || next.Left != len([]rune(whole))-len([]rune(got)) {
			t.Errorf("a page of %d characters, %d left: %q", n, next.Left, next.Text)
		}
		if params := (pipetest.Object{"max": 500, "cursor": next.Cursor}); next.Left > 500 {
			next = cut(params)
		} else {
			next = piece{Text: p.Text("snapshot", params)}
		}
	}
	if got != whole || pages < 3 {
		t.Errorf("%d pages are not the whole:\n%s", pages, got)
	}
	pipetest.Has(t, p.Fail("snapshot", pipetest.Object{"cursor": "99-0"}), `no reply continues at cursor "99-0"`)
	pipetest.Has(t, p.Fail("snapshot", pipetest.Object{"max": 20}), "max: expected at least 200")
	pipetest.Has(t, pipetest.Execute(p, "await accessibilitySnapshot({max: 300})"), "characters left: call accessibilitySnapshot with {\\\"cursor\\\":\\\"")
	pipetest.Has(t, pipetest.Execute(p, `const s = await accessibilitySnapshot({max: 300}); await accessibilitySnapshot({cursor: /"cursor":"([^"]+)"/.exec(s)[1]})`), "contentinfo")
	p.Text("snapshot", nil)
	if d := p.Text("snapshot", pipetest.Object{"diff": true}); d != "no change" {
		t.Errorf("diff without a change: %s", d)
	}
	p.Call("fill", []string{ref(t, whole, "E-mail"), "ada@mail.example"})
	d := p.Text("snapshot", pipetest.Object{"diff": true})
	pipetest.Has(t, d, "~ ", "ada@mail.example")
	if strings.Count(d, "\n") > 12 {
		t.Errorf("one field changed:\n%s", d)
	}
	p.Complains("nothing matches", "snapshot", pipetest.Object{"selector": "#nope"}, "timeout", 1)
}

func TestSearch(t *testing.T) {
	t.Parallel()
	p := start(t, "/table?rows=300")
	pipetest.Has(t, p.Text("search", pipetest.Object{"pattern": `^row: 1250 `}), "1250", "[ref=")
	if got := p.Text("search", pipetest.Object{"pattern": "view order 1250", "ignoreCase": true}); strings.Count(got, "\n") != 1 {
		t.Errorf("more than the line, and where it stands: %s", got)
	}
	pipetest.Has(t, p.Text("search", pipetest.Object{"pattern": "Paid", "lineLimit": 2}), "more; raise lineLimit")
	if got := p.Text("search", pipetest.Object{"pattern": "row: 1100 ", "context": 1}); strings.Count(got, "\n") != 3 {
		t.Errorf("a line of context on both sides, and where they stand: %s", got)
	}
	if got := p.Text("search", pipetest.Object{"pattern": "no such thing"}); got != "no match" {
		t.Errorf("got %s", got)
	}
	pipetest.Has(t, p.Fail("search", pipetest.Object{"pattern": "("}), "pattern:")
	pipetest.Has(t, p.Fail("search", pipetest.Object{"pattern": "(?=x)"}), "look-around")
}
