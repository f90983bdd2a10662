//go:build evidence

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestConvertRecorded runs what a recording may have besides: pop-ups, several dialogs, other
// buttons, a place on the page, a snapshot, and the steps of a batch.
func TestConvertRecorded(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestConvertRefuses is quick")
	t.Parallel()
	lines := []string{
		`{"method":"nav","params":{"url":"/popups"}}`,
		`{"method":"click","params":{"sel":"role=link[name=\"A new tab\"]"}}`,
		`{"method":"expect-text","params":{"sel":"h1","text":"A pop-up","mode":"contains"},"page":"p2"}`,
		`{"method":"close-page","params":{"pid":"p2"}}`,
		`{"method":"nav","params":{"url":"/dialogs"}}`,
		`{"method":"dialog","params":{"action":"dismiss"}}`,
		`{"method":"dialog","params":{"action":"accept"}}`,
		`{"method":"click","params":{"sel":"#twice"}}`,
		`{"method":"expect-text","params":["#result","twice: false, true"]}`,
		`{"method":"batch","params":["nav /form\nclick #count\nmouse-click 5 5"],"timeout":20}`,
		`{"method":"rclick","params":{"sel":"#count","button":"left","keys":["Shift"],"count":2}}`,
		`{"method":"expect-text","params":["#counter","3"]}`,
		`{"method":"expect-snapshot","params":{"sel":"h1","snapshot":"- heading \"Form\" [level=1]"}}`,
	}
	log := filepath.Join(t.TempDir(), "flow.ndjson")
	if err := os.WriteFile(log, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"python", "playwright"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			if out, status := runConverted(t, language, log); status != 0 {
				t.Errorf("status %d: %s", status, out)
			}
		})
	}
}
