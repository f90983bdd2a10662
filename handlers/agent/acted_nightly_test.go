//go:build evidence

package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// An act answers what it led to, whichever way the page goes on with it, and first what it did at once.
func TestActsAnswerWhatComesLater(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	p := startAgent(t, "/")
	call := pipetest.OverMCP(p)
	ways := map[string]string{
		"now":      "say()",
		"promise":  "Promise.resolve().then(say)",
		"timer":    "setTimeout(say, 60)",
		"timers":   "setTimeout(() => setTimeout(say, 40), 40)",
		"frames":   "let n = 0; const f = () => n++ < 6 ? requestAnimationFrame(f) : say(); f()",
		"task":     "const c = new MessageChannel(); c.port1.onmessage = say; c.port2.postMessage(1)",
		"idle":     "requestIdleCallback(say)",
		"fetch":    "fetch('/login').then(say)",
		"worker":   "new Worker('data:text/javascript,postMessage(1)').onmessage = say",
		"database": "indexedDB.open('a').onsuccess = say",
		"digest":   "crypto.subtle.digest('SHA-256', new Uint8Array(1000)).then(say)",
		"scroll":   "window.addEventListener('scroll', say, {once: true}); window.scrollTo(0, window.scrollY ? 0 : 50)",
		"fade":     "out.animate({opacity: [0, 1]}, 50).finished.then(say)",
	}
	const says = "<div id=out></div><script>let word = ''; const say = () => { out.textContent = 'said ' + word; };"
	var page strings.Builder
	page.WriteString(says + "</script>")
	for name, way := range ways {
		fmt.Fprintf(&page, `<button id="%s" onclick="word = '%[1]s' + Math.random(); %s">%[1]s</button>`, name, way)
	}
	page.WriteString("<p style='height: 3000px'>long</p>")
	p.Call("route", []any{"**/ways", pipetest.Object{"contentType": "text/html", "body": page.String()}})
	for name, way := range ways { // a new page says it, too
		p.Call("route", []any{"**/" + name, pipetest.Object{"contentType": "text/html",
			"body": "<p style='height: 3000px'>long</p>" + says + "word = '" + name + "'; " + way + "</script>"}})
		if got := call("nav", pipetest.Object{"url": "/" + name}); !strings.Contains(got, "said "+name) {
			t.Errorf("a page, %s: %q", name, got)
		}
	}
	call("nav", pipetest.Object{"url": "/ways"})
	for range 3 {
		for name := range ways {
			if got := call("click", pipetest.Object{"sel": "#" + name}); !strings.Contains(got, "said "+name) {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

// A download that an act began is saved, and its file named; the tool that saves one says so itself.
func TestActsSaveDownloads(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestFilesUpAndDown of handlers/act is quick")
	t.Parallel()
	p := startAgent(t, "/", "--act-outline", "none")
	call := pipetest.OverMCP(p)
	show(p, `<a id=save download="a.txt" href="data:text/plain,some words">Save</a>`)
	file := regexp.MustCompile(`→ downloaded (/\S+/a\.txt) \(10 bytes\)`)
	for _, got := range []string{call("click", pipetest.Object{"sel": "#save"}),
		call("execute", pipetest.Object{"code": "await page.click('#save')"})} {
		m := file.FindStringSubmatch(got)
		if m == nil {
			t.Fatalf("no file: %q", got)
		}
		if text, err := os.ReadFile(m[1]); string(text) != "some words" {
			t.Errorf("%s: %q %v", m[1], text, err)
		}
	}
	if got := call("download", pipetest.Object{"sel": "#save"}); strings.Contains(got, "→") || !strings.HasSuffix(strings.TrimSpace(got), "/a.txt") {
		t.Errorf("download: %q", got)
	}
}

// An act that opens a file chooser says so, unless what opened it answers it.
func TestActsSayThatAChooserOpened(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsSayWhatTheyDid is quick")
	t.Parallel()
	p := startAgent(t, "/", "--act-outline", "none")
	call := pipetest.OverMCP(p)
	show(p, `<button id=open onclick="const f = document.createElement('input'); f.type = 'file'; f.multiple = true;
f.onchange = () => out.textContent = f.files.length + ' chosen'; f.click()">Open</button><input id=field type=file><p id=out></p>`)
	said := "→ a file chooser opened: upload, with what opened it as selector, chooses files"
	if got := call("click", pipetest.Object{"sel": "#field"}); !strings.Contains(got, said) {
		t.Errorf("a field: %q", got)
	}
	pipetest.Has(t, call("click", pipetest.Object{"sel": "#open"}), "→ a file chooser opened (for several files): upload")
	pipetest.Has(t, call("execute", pipetest.Object{"code": "await page.click('#field')"}), said)
	pipetest.Lacks(t, call("execute", pipetest.Object{"code": "const f = page.waitForEvent('filechooser'); await page.click('#field'); await (await f).setFiles([])"}), "chooser opened")
	file := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := call("upload", pipetest.Object{"sel": "#open", "files": file}); got != "ok" {
		t.Errorf("upload: %q", got)
	}
	pipetest.Has(t, p.Call("txt", []string{"#out"}), "1 chosen")
}

// An act that failed says what happened until then, and a script what it changed.
func TestFailedActsSayWhatHappened(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	p := startAgent(t, "/login")
	call := pipetest.OverMCP(p)
	call("snapshot", nil)
	got := call("execute", pipetest.Object{"code": "await page.evaluate(() => { document.body.append('new words'); setTimeout(() => { throw new Error('boom') }) }); await page.click('#none')"})
	pipetest.Has(t, got, "nothing matches #none", "\n→ error: boom", "\n+ ", "new words")
	pipetest.Lacks(t, got, "textbox")
	call("execute", pipetest.Object{"code": "page.once('console', () => 0); await page.evaluate(() => setTimeout(() => confirm('Sure?'), 300)); 0", "outline": "none"})
	pipetest.Has(t, call("click", pipetest.Object{"sel": "#none", "timeout": 1}), "nothing matches", "→ confirm \"Sure?\" was dismissed")
	pipetest.Lacks(t, call("click", pipetest.Object{"sel": "#none", "timeout": 1}), "→", "ok")
}

// The steps of a batch say what they did, each by its number; the last one what changed.
func TestStepsSayWhatTheyDid(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsSayWhatTheyDid is quick")
	t.Parallel()
	p := startAgent(t, "/login")
	call := pipetest.OverMCP(p)
	call("eval", pipetest.Object{"code": "document.body.insertAdjacentHTML('beforeend', '<button id=ask>Ask</button><button id=dead>Dead</button>'); document.getElementById('ask').onclick = () => confirm('Sure?'); 1"})
	steps := []any{[]any{"fill", "input[type=email]", "ada@mail.example"}, []any{"click", "#ask"}, []any{"click", "#dead"}, []any{"fill", "input[type=password]", "x"}}
	got := call("batch", pipetest.Object{"steps": steps})
	pipetest.Has(t, got, "\n→ step 2, click: confirm \"Sure?\" was dismissed\n→ step 3, click: nothing changed in the document\n~ ", "ada@mail.example")
	got = call("batch", pipetest.Object{"steps": []any{[]any{"click", "#ask"}, []any{"fill", "#none", "x"}}, "timeout": 2})
	pipetest.Has(t, got, "step 2 of 2 failed", "\n→ step 1, click: confirm")
	steps = []any{[]any{"click", "#ask"}, []any{"execute", "await page.evaluate(() => document.body.append('more')); 8"}}
	pipetest.Has(t, call("batch", pipetest.Object{"steps": steps, "outline": "whole"}), "→ step 1, click: confirm", "textbox", "more")
	if got := p.Call("batch", pipetest.Object{"steps": []any{[]any{"click", "#ask"}}}); got != `{"ok":true,"steps":[{"tool":"click","result":null}]}` {
		t.Errorf("the pipe's reply: %s", got)
	}
}

// A script answers what changed of the outline too: acting and looking are one call.
func TestScriptsAnswerTheOutline(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	p := startAgent(t, "/")
	call := pipetest.OverMCP(p)
	show(p, `<button id=add onclick="document.body.append('added words')">Add</button>`)
	code := "await page.click('#add'); 7"
	pipetest.Has(t, call("execute", pipetest.Object{"code": code, "outline": "whole"}), "7\n- button \"Add\"", "added words")
	got := call("execute", pipetest.Object{"code": "await page.evaluate(() => document.body.append('more')); 8", "outline": "diff"})
	pipetest.Has(t, got, "8\n+ ", "more")
	pipetest.Lacks(t, got, "button")
	pipetest.Has(t, call("execute", pipetest.Object{"code": "9", "outline": "diff"}), "9\nno change")
}

// What a script changed before it went to another page is said in one line, unless that page shows it too.
func TestActsBeforeAnotherPage(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	p := startAgent(t, "/")
	call := pipetest.OverMCP(p)
	page := `<h1>Shop</h1><button onclick="document.body.append('Added to the cart'); this.textContent = 'Cart (1)'">Add</button>`
	for path, body := range map[string]string{"**/one": page, "**/two": "<h1>Shop</h1><p>Second</p>", "**/three": "<button>Cart (1)</button>Added to the cart"} {
		p.Call("route", []any{path, pipetest.Object{"contentType": "text/html", "body": body}})
	}
	const said = "→ before page.goto: "
	execute := func(code string) string {
		call("nav", pipetest.Object{"url": "/one"})
		return call("execute", pipetest.Object{"code": code})
	}
	got := execute("await page.click('button'); await page.goto('/two')")
	pipetest.Has(t, got, said+`+ button "Cart (1)"; + "Added to the cart"`+"\n", "Second")
	pipetest.Lacks(t, execute("await page.click('button'); await page.goto('/three')"), said) // it shows the same
	pipetest.Lacks(t, execute("await page.title(); await page.evaluate(() => 1); await page.goto('/two')"), said)
	pipetest.Lacks(t, execute("await page.goto('/two'); await page.click('h1')"), said)
	pipetest.Lacks(t, execute("await page.click('button'); await accessibilitySnapshot(); await page.goto('/two')"), said)
	got = execute("await page.evaluate(() => { for (let i = 0; i < 50; i++) document.body.insertAdjacentHTML('beforeend', '<p>Line ' + i) }); await page.goto('/two')")
	if line := regexp.MustCompile(said + ".*").FindString(got); len(line) == 0 || len(line) > len(said)+110 {
		t.Errorf("%d characters: %s", len(line), got)
	} else {
		pipetest.Has(t, line, `+ "Line 0"`, `… + "Line 49"`) // the last is not cut
	}
	// Where the page stays, the difference says all, and once.
	got = execute("await page.click('button'); await page.goto('file:///etc').catch(() => 0); 1")
	pipetest.Lacks(t, got, said)
	pipetest.Has(t, got, `+ button "Cart (1)"`)
	pipetest.Has(t, execute("await page.evaluate(() => document.querySelector('h1').remove()); await page.goto('/three')"), said+"- h1 \"Shop\"\n")
	call("nav", pipetest.Object{"url": "/one"})
	pipetest.Lacks(t, call("execute", pipetest.Object{"code": "await page.click('button'); await page.goto('/two')", "outline": "none"}), said)
	call("nav", pipetest.Object{"url": "/one"})
	pipetest.Has(t, call("execute", pipetest.Object{"code": "await page.click('button'); await page.goto('/two')", "outline": "diff"}), said, "Second")
}
