package devtools_test

import (
	"os"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestPausedPageAnswersAtOnce(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPauseAndWait is quick")
	t.Parallel()
	p := start(t)
	breakAt(p, 6, "#total")
	const why = ": p1 is paused in the debugger at debug.js:6:15, in add; debug-resume lets it go on"
	for _, c := range []struct {
		tool   string
		params any
	}{{"click", []string{"#total"}}, {"title", nil}, {"nav", []string{"/shop"}}, {"txt", []string{"#result"}}, {"eval", []string{"1"}},
		{"snapshot", nil}, {"screenshot", nil}, {"styles", []string{"#note"}}, {"wait", []string{"h1"}}, {"reload", nil}} {
		if got := p.Fail(c.tool, c.params); got != c.tool+why {
			t.Errorf("%s: %s", c.tool, got)
		}
	}
	pipetest.Has(t, p.Fail("batch", pipetest.Object{"steps": []any{[]string{"title"}}}), "title"+why)
	p.Call("debug-unbreak", nil)
	p.Call("debug-resume", nil)
	same(t, p.Text("txt", []string{"#result"}), "Total: 133") // the click completed
}

// TestPausedPageIsNotTakenForHung: a call that waits when the page pauses gets
// an error, and the page stays.
func TestPausedPageIsNotTakenForHung(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestPauseAndWait is quick")
	t.Parallel()
	p := start(t)
	p.Call("debug-break", pipetest.Object{"file": "debug.js", "line": 23})
	p.Try("eval", []string{"setTimeout(onTotal, 200)"}) // the pause may come before its own answer
	pipetest.Has(t, p.Fail("wait", []string{"#never"}), "p1 is paused in the debugger")
	// What a busy machine says too late is worded by pwpipe: "no answer after 3 s", for the same reason.
	pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": "await page.title()"}, "timeout", 3), " 3 s", "paused in the debugger")
	same(t, pipetest.Get[any](p, "debug-eval", []string{"items.length"}), 3)
	p.Call("debug-resume", nil)
	same(t, p.Text("title", nil), "Debug | Skerry")
}

// TestSiblingOfAPausedPage: a pop-up shares its opener's process, so it is
// paused too. Neither is closed for that.
func TestSiblingOfAPausedPage(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPauseAndWait is quick")
	t.Parallel()
	p := start(t)
	p.Call("eval", []string{"window.open('/form') && 0"})
	p.Call("wait", []string{"h1"}, "page", "p2")
	breakAt(p, 6, "#total")
	pipetest.Has(t, p.Fail("eval", []string{"1"}, "page", "p2", "timeout", 3), "p1 is paused in the debugger, and pages of one process pause together")
	p.Call("debug-unbreak", nil)
	p.Call("debug-resume", nil)
	same(t, p.Text("txt", []string{"#result"}), "Total: 133")
	same(t, p.Text("title", nil, "page", "p2"), "Form | Skerry")
}

// A hung page is closed, also if it has a debugger.
func TestHungPageWithADebuggerIsStillFound(t *testing.T) {
	pipetest.InCI(t, "it waits for what hangs")
	t.Parallel()
	p := startOwn(t)
	p.Call("debug-scripts", nil)
	p.Fail("eval", []string{"while (true) {}"}, "timeout", 0.5)
	same(t, p.Text("title", nil), "Debug | Skerry")
}

func TestClosingWhilePaused(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestPauseAndWait is quick")
	t.Parallel()
	p := start(t)
	for _, c := range []struct {
		tool   string
		params any
	}{{"close-page", []string{"p1"}}, {"reset", nil}, {"close-ctx", []string{"c2"}}} {
		p.Call("debug-break", pipetest.Object{"file": "debug.js", "line": 6})
		pipetest.Has(t, p.Fail("click", []string{"#total"}), "is paused in the debugger")
		p.Call(c.tool, c.params)
		p.Call("nav", []string{"/debug"})
		same(t, p.Text("title", nil), "Debug | Skerry")
	}
	pipetest.Has(t, p.Fail("title", nil, "page", "p1"), "p1 is gone")
}

func TestEndOfInputWhilePaused(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestParentGone of cmd/pwpipe is quick")
	t.Parallel()
	har := t.TempDir() + "/paused.har"
	p := startOwn(t)
	p.Call("open-ctx", pipetest.Object{"har": har})
	p.Call("new-page", []string{"c2"})
	p.Call("use-page", []string{"p2"})
	p.Call("nav", []string{"/debug"})
	p.Call("debug-break", pipetest.Object{"file": "debug.js", "line": 6})
	p.Request("click", []string{"#total"})
	rest, status := p.Close()
	pipetest.Has(t, rest, "p2 is paused in the debugger")
	if status != 0 {
		t.Errorf("status %d", status)
	}
	if _, err := os.Stat(har); err != nil { // recordings end properly
		t.Error(err)
	}
}

// TestBrowserDiesWhilePaused: the next request gets a new browser.
func TestBrowserDiesWhilePaused(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestBrowserKilled of cmd/pwpipe is quick")
	t.Parallel()
	p := startOwn(t)
	breakAt(p, 6, "#total")
	process, err := os.FindProcess(p.Browser())
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	pipetest.Eventually(t, "the end of the browser is noticed", func() bool {
		return strings.Contains(p.Try("debug-where", nil, "page", "p1").Error, "died")
	})
	p.Call("nav", []string{"/debug"})
	same(t, p.Text("title", nil), "Debug | Skerry")
	same(t, pipetest.Get[where](p, "debug-where", nil).State, "running")
}
