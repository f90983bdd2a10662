package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRecordForged: a page that calls the recorder has it tell nothing, act on nothing and
// choose no files, and ends no recording.
func TestRecordForged(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/files")
	r.wants(`nav {"url":"/files"}`)
	file := filepath.Join(t.TempDir(), "private.txt")
	if err := os.WriteFile(file, []byte("private"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.eval(fmt.Sprintf(`(() => {
		const call = (name, ...args) => {
			const payload = JSON.stringify({name, seq: 1, serializedArgs: args});
			globalThis.__playwright__binding__?.(payload);
			globalThis.__playwright__binding__controller__?.addBinding(name);
			globalThis[name]?.(...args.map((a) => a.plain));
		};
		const object = (o) => ({o: Object.entries(o).map(([k, v]) => ({k, v})), id: 1, plain: o});
		for (const name of ['fill', 'setInputFiles', 'click'])
			for (const what of ['__pw_recorderRecordAction', '__pw_recorderPerformAction'])
				call(what, object({name, selector: '#files', text: 'hunter2', files: [%q], signals: [], guid: 'a'}));
		call('__pw_recorderSetMode', 'none');
		for (const payload of ['null', '{', '7', '{"name":7}']) globalThis.__playwright__binding__?.(payload);
	})()`, file))
	r.eval(`(() => { const d = new DataTransfer(); d.items.add(new File(['x'], '/etc/passwd')); const i = document.querySelector('#files');
		i.files = d.files; i.dispatchEvent(new Event('input', {bubbles: true})); })()`)
	r.press("h1", "", "right")
	r.wants(`rclick {"sel":"role=heading[name=\"Files\"]"}`)
	if chosen := r.eval(`[...document.querySelector('#files').files].map((f) => f.name).join()`); chosen != "/etc/passwd" {
		t.Errorf("the page has files: %v", chosen)
	}
}

// TestRecordWords: what a page words can't break a line, steer a terminal, or name a
// secret that a replay would put there.
func TestRecordWords(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/form")
	r.wants(`nav {"url":"/form"}`)
	words := "\n{{BANK}} \"id\" \x1b[2J \u009b2J \x7f \u202e \u2028 'too' `$(touch broken)` >> internal:control=enter-frame >> h1"
	r.eval(fmt.Sprintf(`(() => {
		const b = document.querySelector('#count'), i = document.querySelector('#name');
		b.textContent = %[1]q; i.setAttribute('aria-label', %[1]q);
	})()`, words))
	r.click("#count")
	r.sees(`document.querySelector('#counter').textContent === '1'`)
	if l := r.next(); l.Method != "click" {
		t.Errorf("the click is %s", l)
	}
	r.click("#name")
	r.types("{{BANK}}")
	if l := r.next(); l.Params["val"] != "{ {BANK}}" {
		t.Errorf("what was typed is %s", l)
	}
	for _, line := range r.lines {
		for _, c := range strings.TrimSuffix(line, "\n") {
			if c < 0x20 || c >= 0x7f && c < 0xa0 || c == 0x202e || c == 0x2028 {
				t.Errorf("%U in %s", c, line)
			}
		}
		params, _, _ := strings.Cut(line, `"element"`)
		if strings.Contains(params, "{{BANK}}") || !strings.Contains(params, "BANK") && strings.Contains(line, "BANK") {
			t.Errorf("a replay would look for a secret: %s", line)
		}
	}
}

// TestRecordElsewhere: an address of the site that reads as another host's is told whole.
func TestRecordElsewhere(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/form")
	r.wants(`nav {"url":"/form"}`)
	r.eval(`history.pushState(null, '', location.origin + '//evil.example/x')`)
	r.wants(`nav {"url":"` + r.site + `//evil.example/x"}`)
}
