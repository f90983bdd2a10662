package act_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPickers: a dialog of showOpenFilePicker and its like can't be answered. The act says so at once, and
// upload fails with it.
func TestPickers(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestFilesUpAndDown is quick")
	t.Parallel()
	page := "<p id=out>-</p><button id=input onclick=\"i.click()\">Input</button><input id=i type=file hidden onchange=\"out.textContent = 'chosen'\">"
	ways := map[string]string{
		"open":    "showOpenFilePicker()",
		"several": "showOpenFilePicker({multiple: true})",
		"save":    "showSaveFilePicker({suggestedName: 'notes.txt'})",
		"folder":  "showDirectoryPicker()",
		"later":   "new Promise(r => setTimeout(r, 100)).then(() => showOpenFilePicker())",
	}
	for way, code := range ways {
		page += "<button id=" + way + " onclick=\"" + code + ".catch(e => out.textContent = '" + way + " ' + e.name)\">" + way + "</button>"
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := pipetest.StartOn(t, pipetest.ServePages(t, map[string]string{"/": page})+"/", "--profile", "agent", "--allow-dir", dir)
	call := pipetest.OverMCP(p)
	const says = "whose dialog nothing can answer here: it was told that the person cancelled (AbortError)"
	for way := range ways {
		got := call("click", pipetest.Object{"sel": "#" + way})
		pipetest.Has(t, got, "→ the page asked for a file or a folder with showOpenFilePicker", says)
		pipetest.Lacks(t, got, "upload, with what opened it")
		p.Complains(says, "upload", pipetest.Object{"sel": "#" + way, "files": file})
		if got := p.Text("txt", []string{"#out"}); !strings.HasPrefix(got, way+" AbortError") {
			t.Errorf("%s: the page says %q", way, got)
		}
	}
	pipetest.Has(t, call("click", pipetest.Object{"sel": "#input"}), "→ a file chooser opened: upload, with what opened it")
}
