//go:build evidence

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// longPage has 600 rows, of which two are not like the others, and a dialog at its end.
const longPage = `<!doctype html><title>Long</title><h1>Long</h1><table></table><dialog open>Save?</dialog><script>
document.querySelector('table').innerHTML = Array.from({length: 600}, (_, i) => '<tr><td>Row ' + i + '</td><td>' +
	(i === 500 ? '<input type=checkbox>' : '<button>Edit ' + i + '</button>') + '</td>' + (i === 400 ? '<td>odd</td>' : '') +
	'</tr>').join('');
document.querySelectorAll('button')[450].focus();
</script>`

// TestPeerFolds: a long snapshot leaves out rows that are like the rows before them, and says
// which. What has the focus and what is not alike is shown, and all of it can be had.
func TestPeerFolds(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": longPage, "/short": strings.ReplaceAll(longPage, "600", "100")})
	s, dir := startPeer(t, nil, "--headless")
	call := func(tool string, args map[string]any) string {
		t.Helper()
		got, failed := callTool(t, s, tool, args)
		if failed {
			t.Fatalf("%s: %s", tool, got)
		}
		return got
	}
	call("browser_navigate", map[string]any{"url": site})
	got := call("browser_snapshot", nil)
	pipetest.Has(t, got, `button "Edit 39"`, `"Row 400 Edit 400 odd"`, `button "Edit 450" [active]`, "Save?", "# 360 more of row, refs e")
	pipetest.Lacks(t, got, `"Edit 40"`, `"Edit 399"`, `"Edit 599"`)
	if len(got) > 20_000 {
		t.Errorf("the snapshot has %d bytes", len(got))
	}
	for name, whole := range map[string]string{
		"an element": call("browser_snapshot", map[string]any{"target": "table"}),
		"a depth":    call("browser_snapshot", map[string]any{"depth": 9}),
	} {
		if !strings.Contains(whole, `button "Edit 599"`) || strings.Contains(whole, "more of row") {
			t.Errorf("the snapshot of %s is not whole", name)
		}
	}
	call("browser_snapshot", map[string]any{"filename": "whole.yml"})
	file, err := os.ReadFile(filepath.Join(dir, "whole.yml"))
	if err != nil || !strings.Contains(string(file), `button "Edit 599"`) {
		t.Errorf("the file is not whole: %v", err)
	}
	_, after, _ := strings.Cut(call("browser_find", map[string]any{"text": "button \"Edit 555"}), `button "Edit 555" [ref=`)
	ref, _, _ := strings.Cut(after, "]")
	pipetest.Has(t, call("browser_click", map[string]any{"target": ref}), "getByRole('button', { name: 'Edit 555' })")
	call("browser_navigate", map[string]any{"url": site + "/short"})
	short := call("browser_snapshot", nil)
	pipetest.Has(t, short, `button "Edit 99"`)
	pipetest.Lacks(t, short, "more of row")
}
