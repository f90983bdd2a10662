package setup

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pwpipe/internal/browser/chromesandbox"
)

// The remembered state survives in the file. A damaged file counts as empty.
func TestCacheState(t *testing.T) {
	c := cache{t.TempDir()}
	state := c.readState()
	state.Sandboxes["k"] = sandboxSeen{chromesandbox.Finding{Why: "w", Fix: "f"}, time.Unix(9, 0).UTC()}
	c.writeState(state)
	if got := c.readState().Sandboxes["k"]; got != state.Sandboxes["k"] {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(c.statePath(), []byte(`{"sandboxes":`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := c.readState().Sandboxes; got == nil || len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// Who holds the lock sweeps all work that others left; without it, only old work.
func TestCacheSweeps(t *testing.T) {
	c := cache{filepath.Join(t.TempDir(), "cache")}
	if err := c.makeCache(); err != nil {
		t.Fatal(err)
	}
	left, old := filepath.Join(c.root, tempPrefix+"left"), filepath.Join(c.root, tempPrefix+"old")
	for _, dir := range []string{left, old} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-2 * staleAge)
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	c.sweep(false)
	if found := temps(t, c.root); len(found) != 1 || found[0] != left {
		t.Errorf("without the lock %v is left", found)
	}
	unlock, err := c.lock(context.Background(), newProgress(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if found := temps(t, c.root); found != nil {
		t.Errorf("with the lock %v is left", found)
	}
}
