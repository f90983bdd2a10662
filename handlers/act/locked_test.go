package act_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPointerLock: a page that locks the pointer is named, and an act with the mouse frees it, in each of
// these ways to lock it. Without that the mouse points at nothing.
func TestPointerLock(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPickers is quick")
	// What the browser answered to the page's last request: it refuses one now and then.
	const answer = "self.asked ?? frames[0].asked"
	t.Parallel()
	game := `<script>const lock = (e, o) => asked = e.requestPointerLock(o).then(() => "locked", (e) => e.name)</script>
<canvas id=c width=300 height=50></canvas><button id=body onclick="lock(document.body)">Body</button>
<button id=canvas onclick="lock(c)">Canvas</button><input id=key placeholder=key onkeydown="lock(c)">
<button id=raw onclick="lock(c, {unadjustedMovement: false})">Raw</button>
<button id=free onclick="document.title = 'free'" ondblclick="document.title = 'twice'" onmouseover="over.textContent = 'over'">Free</button><p id=over>-</p>`
	site := pipetest.ServePages(t, map[string]string{"/": game, "/framed": game + `<iframe src="/" width=900 height=300></iframe>`})
	p := pipetest.StartOn(t, site, "--profile", "agent")
	call := pipetest.OverMCP(p)
	frame := "iframe >> internal:control=enter-frame >> "
	for _, c := range []struct {
		path, lock string
		act        string
		params     pipetest.Object
	}{
		{"/", "#body", "click", pipetest.Object{"sel": "#free"}},
		{"/", "#canvas", "dclick", pipetest.Object{"sel": "#free"}},
		{"/", "#raw", "hover", pipetest.Object{"sel": "#free"}},
		{"/", "#key", "mouse-click", pipetest.Object{"x": 20, "y": 20}},
		{"/framed", frame + "#canvas", "click", pipetest.Object{"sel": "#free"}},
	} {
		p.Call("nav", []string{site + c.path})
		pipetest.Eventually(t, "the pointer is locked", func() bool {
			act, params := "click", pipetest.Object{"sel": c.lock, "timeout": 60}
			if c.lock == "#key" {
				act, params["key"] = "press", "a"
			}
			if got := call(act, params); !strings.HasPrefix(got, "ok") {
				t.Errorf("%s: %s", c.lock, got)
			}
			return p.Text("eval", []string{answer}) == "locked"
		})
		c.params["timeout"] = 60 // a busy machine is slow in this
		got := call(c.act, c.params)
		pipetest.Has(t, got, "→ freed the pointer, which the page had locked")
		if c.act != "mouse-click" && p.Text("title", nil) == c.path && p.Text("txt", []string{"#over"}) == "-" {
			t.Errorf("%s after %s: the page saw nothing: %s", c.act, c.lock, got)
		}
		pipetest.Lacks(t, call("click", pipetest.Object{"sel": "#free"}), "freed the pointer")
	}
}

// TestPickers: a dialog of showOpenFilePicker and its like can't be answered. The act says so at once, and
// upload fails with it.
func TestPickers(t *testing.T) {
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
