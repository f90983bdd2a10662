//go:build evidence

package endpoint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A page whose button opens a chooser, and which records every chosen file.
const choosing = `document.body.innerHTML = '<input type=file multiple hidden><button>Choose</button>'; window.chosen = [];
const [field, button] = document.body.children;
button.onclick = () => field.click();
field.onchange = () => { chosen.push(...[...field.files].map(f => f.name)); field.value = '' };
0`

// A file chooser is answered once: by a listening script, else by a listening
// client, else by the tool that opened it.
func TestChoosers(t *testing.T) {
	pipetest.Nightly(t, "it fetches clients")
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"script", "tool", "client", "second"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := pipetest.StartSite(t, "--profile", "agent", "--allow-dir", dir)
	p.Call("nav", []string{"/form"})
	p.Call("eval", []string{choosing})
	tool := func(taken bool) {
		t.Helper()
		r := p.Try("upload", []string{"button", filepath.Join(dir, "tool")})
		if taken != strings.Contains(r.Error, "was taken by a script, or a client") || !taken && r.Error != "" {
			t.Errorf("the tool: %s %s", r.Result, r.Error)
		}
	}
	chosen := func(when string, want ...string) {
		t.Helper()
		if want == nil {
			want = []string{}
		}
		got := ""
		pipetest.Eventually(t, when, func() bool {
			got = p.Call("eval", []string{"chosen.join()"})
			return strings.Count(got, ",") >= len(want)-1 && len(got) > 2
		})
		if got != fmt.Sprintf("%q", strings.Join(want, ",")) {
			t.Errorf("%s: %s was chosen, expected %q", when, got, want)
		}
		p.Call("eval", []string{"chosen = []; 0"})
	}
	listens := func(name string) string {
		return fmt.Sprintf("page.on('filechooser', state.on = (c) => c.setFiles(%q)); return 0", filepath.Join(dir, name))
	}
	const leaves = "page.off('filechooser', state.on); return 0"

	tool(false)
	chosen("nobody listens", "tool")
	pipetest.Execute(p, listens("script"))
	tool(true)
	chosen("a script listens, the tool clicks", "script")
	p.Call("click", []string{"button"})
	chosen("a script listens, another tool clicks", "script")

	c := joins(t, p, oldPlaywright)
	c.does(listens("client"))
	tool(true)
	chosen("both listen, the tool clicks", "script")
	c.does("await page.click('button')")
	chosen("both listen, the client clicks", "script")
	pipetest.Execute(p, leaves)
	tool(true)
	chosen("the client listens, the tool clicks", "client")
	pipetest.Execute(p, "await page.click('button'); 0")
	chosen("the client listens, a script clicks", "client")
	second := joins(t, p, newPuppeteer)
	second.does(fmt.Sprintf("page.waitForFileChooser().then(c => c.accept([%q])); return 0", filepath.Join(dir, "second")))
	tool(true)
	chosen("another client has begun to listen since", "second")
	tool(true)
	chosen("it had what it waited for", "client")
	c.does(leaves)

	// A client keeps starting and stopping to listen.
	second.does(fmt.Sprintf(`const cdp = await page.createCDPSession(); await cdp.send('Page.enable');
		cdp.on('Page.fileChooserOpened', (e) => { state.had = cdp.send('DOM.setFileInputFiles', { files: [%q], backendNodeId: e.backendNodeId }); });
		state.turns = (async () => { while (!state.over) for (const enabled of [true, false]) await cdp.send('Page.setInterceptFileChooserDialog', { enabled }); await cdp.send('Page.disable'); })()`, filepath.Join(dir, "second")))
	want := []string{}
	for range 16 {
		if r := p.Try("upload", []string{"button", filepath.Join(dir, "tool")}); r.Error == "" {
			want = append(want, "tool")
		} else {
			want = append(want, "second")
		}
	}
	second.does("state.over = true; await state.turns; await state.had")
	chosen(fmt.Sprint("a client listens now and then: ", want), want...)
	second.leaves()

	// A script waits once: it has stopped listening before the tool asks.
	pipetest.Execute(p, fmt.Sprintf("state.once = page.waitForEvent('filechooser').then(c => c.setFiles(%q)); 0", filepath.Join(dir, "script")))
	tool(true)
	chosen("a script waits for one", "script")
	c.leaves()
	tool(false)
	chosen("the client has left", "tool")
	pipetest.Execute(p, listens("script"))
	p.Call("reset", nil)
	p.Call("nav", []string{"/form"})
	p.Call("eval", []string{choosing})
	tool(false)
	chosen("the script's process has ended", "tool")
}
