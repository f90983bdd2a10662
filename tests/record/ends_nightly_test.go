//go:build evidence

package record_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRecordPause: the first button of the bar stops recording, and goes on.
func TestRecordPause(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/form")
	r.wants(`nav {"url":"/form"}`)
	r.bar("Stop Recording")
	pipetest.Eventually(t, "the stop", func() bool { return r.inBar("Start Recording") != 0 })
	r.click("#count")
	r.bar("Start Recording")
	pipetest.Eventually(t, "the start", func() bool { return r.inBar("Stop Recording") != 0 })
	r.press("#right", "", "right")
	if l := r.next(); l.Method != "rclick" {
		t.Errorf("after the pause: %s", l)
	}
}
