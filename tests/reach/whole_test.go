package reach

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// wholes are the programs of whole Chromiums, as people use one, that are here. The pinned one has
// no windows, and saves no downloads by itself.
func wholes(t *testing.T) (programs []string) {
	t.Helper()
	for _, name := range []string{"chromium", "google-chrome"} {
		if at, err := exec.LookPath(name); err == nil {
			programs = append(programs, at)
		}
	}
	if programs == nil {
		t.Skip("there is no whole Chromium here (package chromium)")
	}
	return programs
}

// withEachWhole runs a test with each whole Chromium that is here.
func withEachWhole(t *testing.T, test func(t *testing.T, program string)) {
	t.Helper()
	t.Parallel()
	for _, program := range wholes(t) {
		t.Run(filepath.Base(program), func(t *testing.T) {
			t.Parallel()
			test(t, program)
		})
	}
}

// startWhole starts a whole Chromium on a page.
func startWhole(t *testing.T, program, page string, more ...string) *chrome {
	t.Helper()
	profile, home := pipetest.ProfileDir(t), t.TempDir()
	args := append(more, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0", "--user-data-dir="+profile, page)
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+home)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &chrome{t: t, cmd: cmd}
	t.Cleanup(c.kill)
	pipetest.Eventually(t, "Chromium listens", func() bool {
		text, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		port, _, whole := strings.Cut(string(text), "\n")
		c.addr = "127.0.0.1:" + port
		return whole
	})
	pipetest.Eventually(t, "the page is there", func() bool { return strings.Contains(strings.Join(c.tabs(), " "), page) })
	return c
}

// id is the target of a tab.
func (c *chrome) id(page string) string {
	c.t.Helper()
	var list []struct{ ID, Type, URL string }
	if err := json.Unmarshal(c.ask("GET", "/json/list"), &list); err != nil {
		c.t.Fatal(err)
	}
	for _, one := range list {
		if one.Type == "page" && strings.Contains(one.URL, page) {
			return one.ID
		}
	}
	c.t.Fatalf("no tab at %s", page)
	return ""
}

// watchFocus has the person's tab note when its focus or its place in front is taken.
const watchFocus = `globalThis.taken = [];
for (const name of ['blur', 'focus']) addEventListener(name, () => taken.push(name));
document.addEventListener('visibilitychange', () => taken.push(document.visibilityState))`

// TestFocusStaysWithThePerson: an agent that works in its tabs takes neither the focus nor
// the front from the person's.
func TestFocusStaysWithThePerson(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPersonsTabsStayTheirs is quick")
	withEachWhole(t, func(t *testing.T, program string) { keepsFocus(t, program, 1) })
}

// atATab starts a whole Chromium with the person at a tab, which notes what is taken from it.
// evaluate asks the tab.
func atATab(t *testing.T, program, site string) (c *chrome, evaluate func(code string) string) {
	t.Helper()
	c = startWhole(t, program, site+"/form?person")
	person := c.person(c.id("?person"))
	evaluate = func(code string) string {
		return person.ask("Runtime.evaluate", map[string]any{"expression": code, "returnByValue": true})
	}
	c.ask("GET", "/json/activate/"+c.id("?person"))
	pipetest.Eventually(t, "the person is at the tab", func() bool {
		return strings.Contains(evaluate("document.hasFocus() + document.visibilityState + document.readyState + location"), "truevisiblecomplete"+site)
	})
	evaluate(watchFocus)
	return c, evaluate
}

func keepsFocus(t *testing.T, program string, rounds int) {
	t.Helper()
	site := pipetest.Site(t)
	c, evaluate := atATab(t, program, site)
	p := pipetest.Start(t, "--cdp", c.front().named(t), "--base-url", site, "--profile", "act,agent,record")
	for i := range rounds {
		page := p.Text("new-page", []any{"c1"})
		p.Call("use-page", []any{page})
		p.Call("nav", []any{fmt.Sprintf("/form?agent%d", i)})
		p.Call("front", nil)
		p.Call("click", []any{"h1"})
		p.Call("press", []any{"Tab"})
		p.Call("eval", []any{"window.focus(); document.querySelector('input').focus()"})
		p.Call("shot", []any{filepath.Join(t.TempDir(), "page.png")})
		p.Call("execute", []any{"const p = await context.newPage(); await p.bringToFront(); await p.goto('" + site + "/shadow'); await p.close()"})
		p.Call("close-page", []any{page})
	}
	p.Close()
	pipetest.Has(t, evaluate("JSON.stringify(taken)"), `"[]"`)
	c.kill()
}

// window is the number of the window that has a tab.
func (c *chrome) window(page string) string {
	c.t.Helper()
	got := c.person(c.id(page)).ask("Browser.getWindowForTarget", nil)
	number := regexp.MustCompile(`"windowId":(\d+)`).FindStringSubmatch(got)
	if number == nil {
		c.t.Fatalf("the window of %s: %s", page, got)
	}
	return number[1]
}

// TestOwnWindow: with --own-window each page that an agent opens is in a window of its own, and the
// person's window stays in front, with its focus. Without it the pages are tabs of that window.
func TestOwnWindow(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPersonsTabsStayTheirs is quick")
	withEachWhole(t, hasOwnWindows)
}

func hasOwnWindows(t *testing.T, program string) {
	t.Helper()
	site := pipetest.Site(t)
	c, evaluate := atATab(t, program, site)
	name := c.front().named(t)
	theirs := c.window("?person")
	open := func(flags ...string) *pipetest.Pipe {
		t.Helper()
		p := pipetest.Start(t, append(flags, "--cdp", name, "--base-url", site, "--profile", "agent,act")...)
		p.Call("nav", []any{"/form?first"})
		p.Call("execute", []any{"await (await context.newPage()).goto('" + site + "/shadow?second')"})
		return p
	}
	p := open()
	if a, b := c.window("?first"), c.window("?second"); a != theirs || b != theirs {
		t.Errorf("tabs are in the windows %s and %s, the person's is %s", a, b, theirs)
	}
	p.Close()
	pipetest.Eventually(t, "they are closed", func() bool { return len(c.tabs()) == 1 })
	p = open("--own-window")
	if a, b := c.window("?first"), c.window("?second"); a == theirs || b == theirs || a == b {
		t.Errorf("pages are in the windows %s and %s, the person's is %s", a, b, theirs)
	}
	p.Call("eval", []any{"window.focus(); document.querySelector('input').focus()"})
	pipetest.Has(t, evaluate("document.hasFocus() + document.visibilityState + JSON.stringify(taken)"), `"truevisible[]"`)
	p.Close()
	pipetest.Eventually(t, "they are closed, too", func() bool { return len(c.tabs()) == 1 })
	c.kill()
}

// TestFramesOfExtensions: a frame that an extension puts into a lent page, as a keeper of passwords
// does, is not the agent's. Code in it would have what the extension may do.
func TestFramesOfExtensions(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPersonsTabsStayTheirs is quick")
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version": 3, "name": "keeper", "version": "1",
			"content_scripts": [{"matches": ["<all_urls>"], "js": ["put.js"]}],
			"web_accessible_resources": [{"resources": ["frame.html"], "matches": ["<all_urls>"]}]}`,
		"put.js": `const frame = document.createElement('iframe');
			frame.src = chrome.runtime.getURL('frame.html');
			frame.onload = () => { document.documentElement.dataset.put = 'put' };
			document.body.append(frame)`,
		"frame.html": `<title>SECRET</title><p id="secret">SECRET</p>`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	site := pipetest.Site(t)
	c := startWhole(t, wholes(t)[0], site+"/form?person", "--disable-features=DisableLoadExtensionCommandLineSwitch", "--load-extension="+dir)
	p := pipetest.Start(t, "--cdp", c.front().named(t), "--base-url", site, "--lend", "?person", "--profile", "act,agent")
	pipetest.Eventually(t, "the frame is there", func() bool {
		return p.Text("eval", []any{"document.documentElement.dataset.put || ''"}) == "put"
	})
	p.Call("nav", []any{"/form?again"})
	pipetest.Eventually(t, "the frame is there again", func() bool {
		return p.Text("eval", []any{"document.documentElement.dataset.put || ''"}) == "put"
	})
	told := p.Call("snapshot", nil) + p.Call("frames", nil)
	told += p.Try("txt", []any{"iframe >> internal:control=enter-frame >> #secret"}, "timeout", 2).Error
	pipetest.Has(t, told, "was not there")
	pipetest.Lacks(t, told, "SECRET", "chrome-extension:")
}

// TestDownloadsOfLentTabs: a download of an agent's page is where the person's downloads
// are, and the agent has a copy. It hears nothing of the person's own.
func TestDownloadsOfLentTabs(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab is quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startWhole(t, wholes(t)[0], site+"/files?person")
	person := c.person(c.id("?person"))
	p := pipetest.Start(t, "--cdp", c.front().named(t), "--base-url", site, "--profile", "act,agent", "--output-dir", t.TempDir())
	p.Call("nav", []any{"/files"})
	person.works("Runtime.evaluate", map[string]any{"expression": "open('/files/orders.csv')", "userGesture": true})
	if got, err := os.ReadFile(p.Text("download", map[string]any{"url": site + "/files/notes.txt"})); err != nil || len(got) == 0 {
		t.Errorf("the download is %q (%v)", got, err)
	}
	home := strings.TrimPrefix(c.cmd.Env[len(c.cmd.Env)-1], "HOME=")
	for _, name := range []string{"notes.txt", "orders.csv"} {
		pipetest.Eventually(t, "the person has "+name, func() bool {
			_, err := os.Stat(filepath.Join(home, "Downloads", name))
			return err == nil
		})
	}
	pipetest.Lacks(t, p.Call("pages", nil), "orders")
}
