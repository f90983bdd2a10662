package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// RunPrefix begins the names of the folders of runs, which hold profiles and what
// Playwright keeps: they are nobody else's to look into.
const RunPrefix = "pwpipe-run-"

// MakeTemp makes the folder of a run, named by our process id. Whoever starts a
// driver with it leaves it to the driver to remove.
func MakeTemp() (string, error) {
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", RunPrefix, os.Getpid()))
	if err != nil {
		return "", fmt.Errorf("making a temporary folder: %w", err)
	}
	return dir, nil
}

// DownloadPrefix begins the names of the folders for temporary files in which
// the tool download leaves what nobody gave a place. Who asked for it may read
// it when we have ended, so it is kept for a day.
const DownloadPrefix = "pwpipe-download-"

const downloadsKept = 24 * time.Hour

// sweepTemp removes the folders of runs that were killed, and old downloads.
func sweepTemp() {
	downloads, _ := filepath.Glob(filepath.Join(os.TempDir(), DownloadPrefix+"*"))
	for _, dir := range downloads {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && time.Since(info.ModTime()) > downloadsKept {
			_ = os.RemoveAll(dir)
		}
	}
	old, _ := filepath.Glob(filepath.Join(os.TempDir(), RunPrefix+"*"))
	for _, dir := range old {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), RunPrefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && !processExists(n) {
			_ = os.RemoveAll(dir)
		}
	}
}

// removeTemp removes the folder of a run. A browser that was just killed may
// still be finishing a file there.
func removeTemp(dir string) {
	for range 10 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
