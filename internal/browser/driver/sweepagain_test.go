package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/machine/temp"
	"pwpipe/internal/pipetest/until"
)

// TestSweepAgain: what a killed browser writes after the sweep of the start is swept at the end.
func TestSweepAgain(t *testing.T) {
	o := options(t)
	dead := filepath.Join(os.TempDir(), fmt.Sprintf("%s%d-again", temp.RunPrefix, 1<<30))
	writes := func() {
		if err := os.MkdirAll(filepath.Join(dead, "profile"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	writes()
	d := start(t, o)
	until.Holds(t, "the folder of a dead process is gone", func() bool { return !exists(dead) })
	writes()
	stop(t, d)
	if exists(dead) {
		t.Error("the folder that was written again is left")
	}
}
