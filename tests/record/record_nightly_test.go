//go:build evidence

package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRecordPages records pop-ups, frames and pages that are closed.
func TestRecordPages(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/popups")
	r.wants(`nav {"url":"/popups"}`)
	r.click("#blank")
	r.wants(`click {"sel":"role=link[name=\"A new tab\"]"}`)
	first := r.person.page
	r.at(r.site + "/popup-child?from=blank")
	r.click("main button")
	if l := r.next(); l.Page != "p2" || l.Method != "click" {
		t.Errorf("in the pop-up: %s", l)
	}
	r.call(r.person.page, "Page.close", nil, nil)
	r.person.page = first
	r.click("#self-closing")
	r.wants(`close-page {"pid":"p2"}`, `click {"sel":"role=link[name=\"A tab that closes itself\"]"}`)
	r.replays()
}

// TestRecordFrames: a selector goes through frames.
func TestRecordFrames(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/frames")
	r.wants(`nav {"url":"/frames"}`)
	r.press("#srcdoc-button", "#frame-srcdoc", "left")
	r.wants(`click {"sel":"iframe[name=\"srcdoc\"] >> internal:control=enter-frame >> role=button[name=\"Press in srcdoc\"]"}`)
	r.replays()
}

// TestRecordDialogs: a dialog's answer stands before what opens the dialog.
func TestRecordDialogs(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/dialogs")
	r.wants(`nav {"url":"/dialogs"}`)
	r.click("#confirm")
	r.answers(true, "")
	r.sees(`document.querySelector('#result').textContent === 'confirm: true'`)
	r.wants(`dialog {"action":"accept"}`, `click {"sel":"role=button[name=\"Confirm\"]"}`)
	r.click("#prompt")
	r.answers(true, "Grace")
	r.sees(`document.querySelector('#result').textContent === 'prompt: Grace'`)
	r.wants(`dialog {"action":"accept","text":"Grace"}`, `click {"sel":"role=button[name=\"Prompt\"]"}`)
	r.click("#twice")
	r.answers(false, "")
	r.answers(true, "")
	r.sees(`document.querySelector('#result').textContent === 'twice: false, true'`)
	r.wants(`dialog {"action":"dismiss"}`, `dialog {"action":"accept"}`, `click {"sel":"role=button[name=\"Two in a row\"]"}`)
	r.lines = append(r.lines, `{"method":"expect-text","params":["#result","twice: false, true"]}`)
	r.replays()
}

// TestRecordFiles records downloads and uploads, with the paths of what was chosen.
func TestRecordFiles(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/files")
	r.wants(`nav {"url":"/files"}`)
	r.click("#download-text")
	r.wants(`download {"sel":"role=link[name=\"Notes (text)\"]"}`)
	one, two := filepath.Join(t.TempDir(), "one.txt"), filepath.Join(t.TempDir(), "two.txt")
	for _, file := range []string{one, two} {
		if err := os.WriteFile(file, []byte("words"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.chooses("#files", one, two)
	if l := r.next(); l.String() != `upload {"files":["`+one+`","`+two+`"],"sel":"role=button[name=\"Files\"]"}` {
		t.Errorf("an upload is %s", l)
	}
	r.click("#send-many")
	r.sees(`document.querySelectorAll('#received tbody tr').length === 2`)
	r.wants(`click {"sel":"role=button[name=\"Upload all\"]"}`)
	r.lines = append(r.lines, `{"method":"expect-count","params":["#received tbody tr",2]}`)
	r.replays()
}

// TestRecordProgram: a recording ends with the window, as a program that runs. What a
// page's policy forbids the page's own scripts does not keep it from being recorded.
func TestRecordProgram(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/csp", "--to", "bash")
	r.click("#press")
	r.sees(`document.querySelector('#presses').textContent === '1'`)
	r.told()
	r.call(r.page, "Page.close", nil, nil)
	text, status := r.Wait()
	if status != 0 || !strings.Contains(text, `role=button[name=\"Press me\"]`) {
		t.Fatalf("after the window was closed: %q, status %d, %s", text, status, r.Stderr())
	}
}

// TestRecordExpects: what is picked with the bar at the page's top becomes an expectation.
func TestRecordExpects(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/form")
	r.wants(`nav {"url":"/form"}`)
	for tool, what := range map[string][]string{
		"Assert visibility": {"#count", `expect-visible {"sel":"role=button[name=\"Count\"]"}`},
		"Assert value":      {"#message", `expect-value {"sel":"role=textbox[name=\"Message\"]","value":"Written before you came."}`},
		"Assert snapshot":   {"h1", `expect-snapshot {"sel":"h1","snapshot":"- heading \"Form\" [level=1]"}`},
	} {
		r.bar(tool)
		r.picking(true)
		r.click(what[0])
		r.wants(what[1])
		r.picking(false)
	}
	r.bar("Assert text")
	r.picking(true)
	r.click("p.lead")
	r.bar("Accept")
	if l := r.next(); l.Method != "expect-text" || l.Params["mode"] != "contains" {
		t.Errorf("a text that was picked is %s", l)
	}
	r.replays()
}
