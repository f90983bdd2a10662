//go:build evidence

package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRepairDoubt: an element that is gone, one of two alike and one that a selector finds
// now and is another fail the step, and nothing is pressed.
func TestRepairDoubt(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	url, page := served(t)
	page.Store(before)
	file := logged(t, url)
	for _, now := range []struct{ name, page, why string }{
		{"gone", strings.Replace(before, `<button id="save"`, `<button hidden id="was"`, 1),
			"no element is enough like it"},
		{"another", strings.NewReplacer(`id="save"`, `id="x"`, `id="drop"`, `id="save"`,
			">Save<", ">Keep it all<").Replace(before),
			"the selector finds another element now"},
		{"two", strings.Replace(before, `<button id="save"`, `<button id="s1">Save</button><button id="s2"`, 1),
			"more than one element is like it; " +
				`like it: role=button[name*="Save"i] >> nth=0, role=button[name*="Save"i] >> nth=1`},
	} {
		page.Store(now.page)
		out, status := replayed(t, url, file, "--repair", "--update")
		if status != 1 || strings.Contains(out, `"#save" is now`) ||
			!strings.Contains(out, `"#save" no longer finds its element for sure: `+now.why) {
			t.Errorf("%s: %d, %s", now.name, status, out)
		}
	}
	if out, status := replayed(t, url, file, "--update"); status != 2 {
		t.Errorf("--update alone: %d, %s", status, out)
	}
}

// TestRepairBatch: the steps of a batch are repaired, however they are written, and --update
// writes them as steps of the same batch.
func TestRepairBatch(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	url, page := served(t)
	page.Store(before)
	file := filepath.Join(t.TempDir(), "flow.ndjson")
	p := pipetest.Start(t, "--base-url", url)
	p.Call("log-start", []any{file})
	p.Call("batch", pipetest.Object{"steps": "# a text\nnav /\n\nfill #name 'Anna Borg'\n[\"click\", \"#save\"]\nexpect-text output 'saved Anna Borg'"})
	p.Call("batch", pipetest.Object{"steps": []any{[]any{"fill", "#name", "Bo"}, pipetest.Object{"tool": "click", "params": []any{"#save"},
		"timeout": 10}, []any{"expect-text", pipetest.Object{"sel": "output", "text": "saved Bo"}}}})
	p.Call("log-stop", nil)
	page.Store(strings.NewReplacer(`id="name"`, `id="n1"`, `id="save"`, `id="s1"`).Replace(before))
	out, status := replayed(t, url, file, "--repair", "--update")
	if status != 0 || strings.Count(out, "repaired: ") != 4 ||
		!strings.Contains(out, `repaired: step 3, sel "#save" is now "role=button[name=\"Save\"]"`) {
		t.Fatalf("with repair: %d, %s", status, out)
	}
	if out, status = replayed(t, url, file); status != 0 {
		t.Fatalf("what was updated: %d, %s", status, out)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `"steps":"# a text\nnav /\n\n{`) ||
		!strings.Contains(string(text), `"timeout":10`) {
		t.Errorf("%v: %s", err, text)
	}
	page.Store(strings.Replace(before, `<button id="save"`, `<button id="s1">Save</button><button id="s2"`, 1))
	out, status = replayed(t, url, file, "--repair", "--update")
	if status != 1 || !strings.Contains(out, "step 3 of 4 failed (those before it are done)") ||
		!strings.Contains(out, "more than one element is like it") {
		t.Errorf("two alike: %d, %s", status, out)
	}
}

// TestRepairAnswer: a selector that an earlier step answers is repaired in the run, and
// stays in the file.
func TestRepairAnswer(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	url, page := served(t)
	page.Store(strings.Replace(before, "<h1>Boats", `<h1 title="#save">Boats`, 1))
	file := filepath.Join(t.TempDir(), "flow.ndjson")
	p := pipetest.Start(t, "--base-url", url)
	p.Call("log-start", []any{file})
	p.Call("batch", pipetest.Object{"steps": "nav /\nattr h1 title\nclick $2"})
	p.Call("log-stop", nil)
	page.Store(strings.NewReplacer("<h1>Boats", `<h1 title="#save">Boats`, `id="save"`, `id="s1"`).Replace(before))
	text, _ := os.ReadFile(file)
	out, status := replayed(t, url, file, "--repair", "--update")
	if status != 0 || !strings.Contains(out, `step 3, sel "#save" is now`) ||
		!strings.Contains(out, "not updated: line 1: step 3: sel is what an earlier step answers") {
		t.Errorf("%d, %s", status, out)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(text) {
		t.Errorf("%v: %s became %s", err, text, now)
	}
}
