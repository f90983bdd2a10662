package driver

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestOldDownloads: what download left in the folder for temporary files is
// kept for a day after it was written, and no longer.
func TestOldDownloads(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for name, age := range map[string]time.Duration{DownloadPrefix + "old": 25 * time.Hour, DownloadPrefix + "new": 23 * time.Hour, "other": 99 * time.Hour} {
		folder := filepath.Join(dir, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "a.txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(folder, then, then); err != nil {
			t.Fatal(err)
		}
	}
	sweepTemp()
	for name, kept := range map[string]bool{DownloadPrefix + "old": false, DownloadPrefix + "new": true, "other": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != kept {
			t.Errorf("%s: %v", name, err)
		}
	}
}
