package handlers_test

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"pwpipe/features"
	"pwpipe/fixtures"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/internal/machine/cell"
	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/suggest"
	"pwpipe/provider"
)

// TestMain: the test binary is also the driver, as pwpipe is.
func TestMain(m *testing.M) {
	cell.Run()
	os.Exit(m.Run())
}

// started is a session in this process, for internal state.
func started(t *testing.T) (*provider.Table, context.Context, *browser.Session) {
	t.Helper()
	site, err := fixtures.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Close() })
	b := features.NewBrowser(browser.Config{StartOptions: handlers.StartOptions{BaseURL: site.URL}})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		b.Close(ctx)
	})
	s := b.NewSession(browser.SessionOptions{})
	return provider.NewTable(features.Tools(), provider.TableOptions{}), browser.WithSession(context.Background(), s), s
}

func mustCall(t *testing.T, table *provider.Table, ctx context.Context, tool, params string) string {
	t.Helper()
	r, err := table.Call(ctx, provider.Request{Tool: tool, Params: []byte(params)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, params, err)
	}
	return string(r.JSON)
}

// TestNothingLeaks opens and closes 120 pages, or as many as PWPIPE_LOAD says, and checks
// for leaked goroutines, handles and browser contexts.
func TestNothingLeaks(t *testing.T) {
	pipetest.InCI(t, "it opens and closes for ten seconds")
	if testing.Short() {
		t.Skip("opens many pages")
	}
	pages := 120
	if n, err := strconv.Atoi(os.Getenv("PWPIPE_LOAD")); err == nil {
		pages = n
	}
	table, ctx, s := started(t)
	round := func(context string) {
		pid := mustCall(t, table, ctx, "new-page", `[`+context+`]`)
		mustCall(t, table, ctx, "close-page", `[`+pid+`]`)
	}
	first := mustCall(t, table, ctx, "new-ctx", `[]`)
	for range 20 {
		round(first)
	}
	settle := func() int {
		n := runtime.NumGoroutine()
		for range 50 { // some things end a moment after their reply
			time.Sleep(20 * time.Millisecond)
			n = min(n, runtime.NumGoroutine())
		}
		return n
	}
	before := settle()
	for range pages {
		round(first)
	}
	if after := settle(); after > before+10 {
		buf := make([]byte, 1<<20)
		t.Errorf("%d goroutines before, %d after\n%.20000s", before, after, buf[:runtime.Stack(buf, true)])
	}
	if p, c, all := len(s.OpenPages()), len(s.OpenContexts()), len(s.Current().Browser.Contexts()); p != 0 || c != 1 || all != 1 {
		t.Errorf("left: %d pages, %d contexts of the session, %d of the browser", p, c, all)
	}
}

// TestPeerNames: the tools that the table of other programs' names suggests exist. A
// name of one of our tools is not in the table.
func TestPeerNames(t *testing.T) {
	table := provider.NewTable(features.Tools(), provider.TableOptions{})
	for theirs, peer := range suggest.PeerNames() {
		if strings.HasPrefix(theirs, "--") { // tests/switch knows the flags
			continue
		}
		for _, name := range peer.Ours {
			if table.Find(name) == nil {
				t.Errorf("%s: there is no tool %q", theirs, name)
			}
		}
		if table.Find(theirs) != nil {
			t.Errorf("%s is a tool", theirs)
		}
	}
	// A name that the table does not know gets the nearest tool name.
	for name, want := range map[string]string{
		"browser_take_screenshot": "here it is shot (path, full?, quality?), eshot (sel, path) or screenshot (", "clik": "did you mean click or clip?", "frobnicate": "",
		"agent_browser_click": "here it is click (", "agent_browser_get_text": "here it is txt (", "chat": "models call",
	} {
		if got := table.Meant(name); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestPanicInHandler: a panic below a tool, in the goroutine that calls Playwright,
// becomes that request's error.
func TestPanicInHandler(t *testing.T) {
	table, ctx, _ := started(t)
	table2 := provider.NewTable(append(features.Tools(), tool.OnPage(tool.Core.Acts("boom", "Boom", "Panic for a test"),
		func(*tool.Call, tool.NoParams) (provider.None, error) { panic("boom") })), provider.TableOptions{})
	_, err := table2.Call(ctx, provider.Request{Tool: "boom"})
	e := provider.AsError(err)
	if e == nil || e.Kind != provider.KindInternal || e.Error() != "boom: internal error: boom" {
		t.Errorf("got %v", err)
	}
	mustCall(t, table, ctx, "nav", `["/login"]`)
}
