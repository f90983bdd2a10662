package reach

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// TestPersonsTabsStayTheirs: with --cdp chromium an agent has the tabs that it opens.
// Whatever it asks, it hears nothing of the person's, and at its end they are as they were.
func TestPersonsTabsStayTheirs(t *testing.T) {
	t.Parallel()
	site := pipetest.Site(t)
	c := sharedChrome(t)
	c.open(site + "/form?SECRET")
	before := c.tabs()
	p := pipetest.Start(t, "--cdp", c.front().named(t), "--base-url", site, "--profile", "agent,act,rpc,state")
	told := p.Call("pages", nil)
	p.Call("nav", []any{"/popups"})
	told += p.Call("execute", []any{"const p = await context.newPage(); await p.goto('" + site + "/shadow?own'); return context.pages().map((p) => p.url()).concat(browser.contexts().length).join()"})
	pipetest.Has(t, told, "/shadow?own", "/popups")
	p.Call("new-ctx", nil)
	page := p.Text("new-page", []any{"c2"})
	p.Call("nav", []any{"/frames"}, "page", page)
	told += p.Call("pages", nil) + p.Call("save-state", []any{filepath.Join(t.TempDir(), "state.json")})
	thief := &client{t: t, ws: dial(t, pipetest.Decode[struct{ URL string }](t, p.Call("session.cdp", nil)).URL)}
	told += thief.ask("Target.setDiscoverTargets", map[string]any{"discover": true, "filter": []any{map[string]any{}}})
	told += thief.ask("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	told += thief.ask("Target.getTargets", map[string]any{"filter": []any{map[string]any{}}}) + thief.heard
	pipetest.Has(t, told, "/popups")
	pipetest.Lacks(t, told, "SECRET", "about:blank")
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
	pipetest.Eventually(t, "the tabs are as they were", func() bool { return strings.Join(c.tabs(), " ") == strings.Join(before, " ") })
}

// TestWorkInALentTab: tools do in a lent tab what they do in their own, and give it back.
func TestWorkInALentTab(t *testing.T) {
	t.Parallel()
	site := pipetest.Site(t)
	c := sharedChrome(t)
	c.open(site + "/files")
	c.open(site + "/form?SECRET")
	p := pipetest.Start(t, "--cdp", c.front().named(t), "--lend", "/files", "--profile", "act,state,record", "--output-dir", t.TempDir())
	pipetest.Has(t, p.Call("pages", nil), `"lent":true`, site+"/files")
	file := filepath.Join(t.TempDir(), "report.txt")
	if err := os.WriteFile(file, []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Call("upload", []any{"input[type=file]", []any{file}})
	if got := p.Text("eval", []any{"document.querySelector('input[type=file]').files[0].name"}); got != "report.txt" {
		t.Error(got)
	}
	p.Call("pdf", []any{filepath.Join(t.TempDir(), "page.pdf")})
	p.Call("shot", []any{filepath.Join(t.TempDir(), "page.png")})
	p.Call("copy", []any{"a copy"})
	if got := p.Text("clip", nil); got != "a copy" {
		t.Error(got)
	}
	p.Call("eval", []any{"document.body.prepend(globalThis.field = document.createElement('textarea')); field.value = 'written'; field.select(); 1"})
	p.Call("press", []any{"Control+C"})
	if got := p.Text("clip", nil); got != "written" {
		t.Errorf("Control+C copied %q", got)
	}
	p.Call("press", []any{"Control+X"})
	if got := p.Text("eval", []any{"field.value"}); got != "" {
		t.Errorf("Control+X left %q", got)
	}
	p.Call("press", []any{"Control+V"})
	if got := p.Text("eval", []any{"field.value"}); got != "written" {
		t.Errorf("Control+V pasted %q", got)
	}
	p.Call("eval", []any{"document.cookie = 'kept=1; max-age=1000'"})
	pipetest.Has(t, p.Call("cookies", nil), `"kept"`)
	p.Call("clear-cookies", nil)
	pipetest.Lacks(t, p.Call("cookies", nil), `"kept"`)
	p.Call("close-page", []any{"p1"}) // for the agent: the person has it still
	pipetest.Lacks(t, p.Call("pages", nil), "/files")
	p.Close()
	pipetest.Has(t, strings.Join(c.tabs(), " "), site+"/files", "?SECRET")
}

// TestAgentsInAPersonsChrome: the sessions of a service have their tabs beside each other,
// in the person's profile, over one connection.
func TestAgentsInAPersonsChrome(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPersonsTabsStayTheirs is quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	c.open(site + "/form?SECRET")
	f := c.front()
	svc := pipetest.StartService(t, "--cdp="+f.named(t), "ALLOW_HOST_REGEX=.*")
	a, b := svc.Open(map[string]any{"tabs": true}), svc.Open(map[string]any{"tabs": true})
	a.On("page.goto", map[string]any{"url": site + "/shadow?first"})
	b.On("page.goto", map[string]any{"url": site + "/shadow?second"})
	a.On("eval", map[string]any{"code": "document.cookie = 'of=profile'"})
	pipetest.Has(t, b.On("eval", map[string]any{"code": "document.cookie"}), "of=profile")
	ofA, ofB := a.On("pages", nil), b.On("pages", nil)
	pipetest.Has(t, ofA, "?first")
	pipetest.Has(t, ofB, "?second")
	pipetest.Lacks(t, ofA, "?second", "SECRET")
	pipetest.Lacks(t, ofB, "?first", "SECRET")
	thief := connectTo(t, svc, b)
	told := thief.ask("Target.getTargets", nil)
	pipetest.Has(t, told, "?second")
	pipetest.Lacks(t, told, "?first", "SECRET")
	if got := f.connections.Load(); got != 1 {
		t.Errorf("%d connections", got)
	}
	a.On("session.close", nil)
	pipetest.Eventually(t, "its tab is closed", func() bool { return !strings.Contains(strings.Join(c.tabs(), " "), "?first") })
	pipetest.Has(t, b.On("pages", nil), "?second")
	pipetest.Has(t, strings.Join(c.tabs(), " "), "?second", "?SECRET")
}

// TestOneConnectionForPrograms: the programs of a user share one connection to the browser, an MCP
// host among them. Each has tabs of its own, and a tab is lent to one of them. The connection stays
// when all of them end, killed ones too: then what they opened is closed, and what they were lent
// is there for the next.
func TestOneConnectionForPrograms(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestServiceKeepsTheConnection of features/owntabs/lend is quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	c.open(site + "/form?lent")
	c.open(site + "/shadow?SECRET")
	before := slices.Sorted(slices.Values(c.tabs()))
	f := c.front()
	name := f.named(t)
	kill := func(p *pipetest.Pipe) {
		_ = p.Cmd.Process.Kill()
		p.Wait()
	}
	first := pipetest.Start(t, "--cdp", name, "--base-url", site)
	first.Call("nav", []any{"/frames?first"})
	second := pipetest.Start(t, "--cdp", name, "--base-url", site, "--lend", "?lent", "--profile", "agent")
	pipetest.Has(t, second.Call("pages", nil), "?lent", `"lent":true`)
	third := pipetest.Start(t, "--cdp", name, "--lend", "?lent")
	third.Call("nav", []any{site + "/popups"})
	pipetest.Lacks(t, third.Call("pages", nil), "?lent", "?first", "SECRET")
	pipetest.Lacks(t, first.Call("pages", nil), "?lent", "SECRET")
	pipetest.Has(t, second.Call("execute", []any{"context.pages().map((p) => p.url()).join()"}), "?lent")
	host := pipetest.StartCmd(t, exec.Command(pipetest.Binary(t), "mcp", "--cdp", name))
	host.Send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}`)
	host.Line()
	host.Send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"browser_navigate","arguments":{"url":"` + site + `/files?host"}}}`)
	pipetest.Has(t, host.Line(), "?host")
	if got := f.connections.Load(); got != 1 {
		t.Errorf("%d connections", got)
	}
	third.Close()
	pipetest.Eventually(t, "its tab is closed", func() bool { return !strings.Contains(strings.Join(c.tabs(), " "), "/popups") })
	kill(first)
	pipetest.Eventually(t, "its tab is closed, too", func() bool { return !strings.Contains(strings.Join(c.tabs(), " "), "?first") })
	pipetest.Has(t, second.Call("pages", nil), "?lent")
	kill(second)
	kill(host)
	pipetest.Eventually(t, "the person's tabs are left", func() bool {
		return slices.Equal(slices.Sorted(slices.Values(c.tabs())), before)
	})
	next := pipetest.Start(t, "--cdp", name, "--base-url", site, "--lend", "?lent")
	pipetest.Has(t, next.Call("pages", nil), "?lent", `"lent":true`)
	if got := f.connections.Load(); got != 1 {
		t.Errorf("%d connections after all of them", got)
	}
}

// TestPersonsChromeComesBack: when the person's browser ends, the request says so, and the
// next one connects to the one that the person starts.
func TestPersonsChromeComesBack(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAttach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	f := c.front()
	name := f.named(t)
	p := pipetest.Start(t, "--cdp", name, "--base-url", site)
	p.Call("nav", []any{"/form"})
	c.kill()
	told := ""
	pipetest.Eventually(t, "the browser is gone", func() bool {
		told += p.Try("title", nil).Error
		return strings.Contains(told, "can't attach to the browser at "+name)
	})
	again := startChrome(t, "0")
	again.open(site + "/shadow?SECRET")
	f = again.front()
	_, profile, _ := strings.Cut(name, ":")
	if err := os.WriteFile(filepath.Join(profile, "DevToolsActivePort"), []byte(f.port+"\n"+f.path), 0o600); err != nil {
		t.Fatal(err)
	}
	pipetest.Eventually(t, "it works again", func() bool {
		failed := p.Try("nav", []any{"/frames"}).Error
		told += failed
		return failed == ""
	})
	pipetest.Has(t, told, "the browser at "+name+" went away")
	pipetest.Lacks(t, p.Call("execute", []any{"context.pages().map((p) => p.url()).join()"}), "SECRET")
	pipetest.Has(t, strings.Join(again.tabs(), " "), "/frames", "SECRET")
	if got := f.connections.Load(); got != 1 {
		t.Errorf("%d connections", got)
	}
}

// TestListsInAPersonsChrome: what can't be enforced there is refused at the start.
func TestListsInAPersonsChrome(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"--allowed-domains", "example.com"}, {"--blocked-domains", "example.com"}, {"--block-private"}} {
		_, stderr, status := pipetest.Run(t, "", append(flags, "--cdp", "chrome")...)
		if status == 0 || !regexp.MustCompile(`--cdp chrome: .*can't be enforced`).MatchString(stderr) {
			t.Errorf("%v: status %d, %s", flags, status, stderr)
		}
	}
	for _, flags := range [][]string{{"--lend", "x"}, {"--own-window"}, {"--lend", "x", "--cdp", "9222"}, {"--lend", "", "--cdp", "chrome"}} {
		if _, stderr, status := pipetest.Run(t, "", flags...); status == 0 || !strings.Contains(stderr, "--lend") {
			t.Errorf("%v: status %d, %s", flags, status, stderr)
		}
	}
}

func dial(t *testing.T, address string) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(address, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	return ws
}
