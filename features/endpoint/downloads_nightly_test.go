//go:build evidence

package endpoint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// Downloads of the session's pages, and of the client's own contexts, are reported to
// it. It finds their files where it expects them.
func TestDownloads(t *testing.T) {
	pipetest.Nightly(t, "it fetches clients")
	t.Parallel()
	site := serveFiles(t)
	const read = `const [d] = await Promise.all([%s.waitForEvent('download'), %s]);
		state.path = await d.path(); return [d.suggestedFilename(), fs.readFileSync(state.path, 'utf8'), await d.failure(), d.page() === %[1]s]`
	const want = `["tide.txt","high at nine",null,true]`
	for name, library := range map[string]string{"1.52": oldPlaywright, "newest": newPlaywright} {
		p := pipetest.Start(t)
		p.Call("nav", []string{site})
		c := joins(t, p, library)
		for _, does := range []string{"page.click('#here')", "page.frameLocator('iframe').locator('a').click()", "page.click('#new')"} {
			if got := c.does(fmt.Sprintf(read, "page", does)); got != want {
				t.Errorf("%s: %s: %s", name, does, got)
			}
		}
		if got := c.does("state.own = await browser.newContext(); state.page = await state.own.newPage(); await state.page.goto('" + site + "'); " + fmt.Sprintf(read, "state.page", "state.page.click('#here')")); got != want {
			t.Errorf("%s: in a context of its own: %s", name, got)
		}
		for _, on := range []string{"page", "state.page"} {
			if got := c.does("const [d] = await Promise.all([" + on + ".waitForEvent('download'), " + on + ".click('#slow')]); await d.cancel(); return await d.failure()"); got != `"canceled"` {
				t.Errorf("%s: cancelled: %s", name, got)
			}
		}
		saved := filepath.Join(t.TempDir(), "saved.txt")
		c.does("state.both = page.waitForEvent('download'); return 0")
		mine := p.Text("download", map[string]any{"sel": "#here"})
		if got := c.does(fmt.Sprintf("const d = await state.both; await d.saveAs(%q); await d.delete(); return fs.readFileSync(%[1]q, 'utf8')", saved)); got != `"high at nine"` {
			t.Errorf("%s: %s", name, got)
		}
		if text, err := os.ReadFile(mine); string(text) != "high at nine" {
			t.Errorf("the tool has %q %v", text, err)
		}
		for _, in := range []string{"context", "state.own"} {
			if got := c.does("const q = await " + in + ".newPage(); await q.goto('" + site + "'); const [d] = await Promise.all([q.waitForEvent('download'), q.click('#half')]); await q.close(); await fetch('" + site + "/rest'); return fs.readFileSync(await d.path(), 'utf8')"); got != `"high at nine"` {
				t.Errorf("%s: of a page that has gone: %s", name, got)
			}
		}
		c.leaves()
	}
}

// A client that names a folder gets its files there, by their ids, if the session may
// write there. Otherwise it is told where they are.
func TestDownloadsOfPuppeteer(t *testing.T) {
	pipetest.Nightly(t, "it fetches clients")
	t.Parallel()
	site := serveFiles(t)
	mine, others := t.TempDir(), t.TempDir()
	p := pipetest.Start(t, "--allow-dir", mine)
	p.Call("nav", []string{site})
	c := joins(t, p, newPuppeteer)
	for dir, does := range map[string]string{mine: "page.click('#here')", others: "page.frames()[1].click('a')"} {
		got := c.does(fmt.Sprintf(`const cdp = await page.createCDPSession(), begun = new Promise(f => cdp.once('Browser.downloadWillBegin', f));
			const ended = new Promise(f => cdp.on('Browser.downloadProgress', e => e.state === 'completed' && f(e)));
			await cdp.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath: %q, eventsEnabled: true });
			await %s;
			const { url, suggestedFilename, guid } = await begun, e = await ended, path = require('path').join(%[1]q, guid);
			return [url, suggestedFilename, guid === e.guid, e.receivedBytes, path === e.filePath, fs.readFileSync(e.filePath, 'utf8')]`, dir, does))
		if want := fmt.Sprintf(`["%s/file","tide.txt",true,12,%v,"high at nine"]`, site, dir == mine); got != want {
			t.Errorf("%s: %s", does, got)
		}
	}
	if list, _ := os.ReadDir(others); len(list) > 0 {
		t.Errorf("written beside the allowed folder: %v", list)
	}
}
