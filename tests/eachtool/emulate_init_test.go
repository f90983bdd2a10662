package eachtool_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestInitScripts: scripts of the command line run before a page's own, in the order in which they
// are given, in each context and each frame, on the pipe and in the service. At the end of the
// pipe's input, running recordings are written.
func TestInitScripts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "--init-script=" + path
	}
	one := write("one.js", "globalThis.order = ['one']")
	two := write("two.js", "globalThis.order.push('two')")
	page := `<script>globalThis.seen = order.join()</script><iframe srcdoc="<p>inner</p>"></iframe>`
	site := pipetest.ServePages(t, map[string]string{"/": page, "/recorded": page})
	const asked = `(() => [seen, document.querySelector("iframe").contentWindow.order.join()])()`
	const want = `["one,two","one,two"]`
	p := pipetest.Start(t, one, two)
	pipetest.Has(t, p.Fail("clip", nil), "about:blank has no clipboard")
	pipetest.Has(t, p.Fail("browser_clipboard_write", []any{"x"}), "about:blank has no clipboard")
	p.Call("nav", []string{site})
	if got := p.Call("eval", []string{asked}); got != want {
		t.Errorf("the pipe: %s", got)
	}
	har := filepath.Join(dir, "last.har")
	p.Call("open-ctx", pipetest.Object{"har": har})
	p.Call("new-page", pipetest.Object{"ctx": "c2", "use": true})
	p.Call("nav", []string{site + "/recorded"})
	if got := p.Call("eval", []string{asked}); got != want {
		t.Errorf("another context: %s", got)
	}
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
	if data, err := os.ReadFile(har); err != nil || !strings.Contains(string(data), "/recorded") {
		t.Errorf("the recording: %v, %d bytes", err, len(data))
	}
	if pipetest.Thorough() {
		own := pipetest.StartService(t, one, two).Open(nil)
		own.On("page.goto", map[string]any{"url": site})
		pipetest.Has(t, own.On("page.evaluate", map[string]any{"expression": asked}), "one,two", "one,two")
	}

	_, errs, status := pipetest.Run(t, "", "--init-script", filepath.Join(dir, "none.js"))
	if status == 0 {
		t.Error("a file that is not there is taken")
	}
	pipetest.Has(t, errs, "--init-script", "none.js")
}
