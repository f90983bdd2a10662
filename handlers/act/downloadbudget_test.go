package act_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDownloadsOfPages: what a page downloads by itself has a budget, and the tool download works
// above it.
func TestDownloadsOfPages(t *testing.T) {
	pipetest.InCI(t, "it is long, and the tests of downloads in features/endpoint/cdpview are quick")
	t.Parallel()
	const big, budget = 64 << 20, 256 << 20
	var ended atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/big" {
			w.Header().Set("Content-Type", "text/html")
			for i := range 6 {
				fmt.Fprintf(w, "<iframe src=/big?%d></iframe>", i)
			}
			return
		}
		defer ended.Add(1)
		w.Header().Set("Content-Disposition", "attachment; filename=big")
		part := make([]byte, 1<<20)
		for range big / len(part) {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}))
	t.Cleanup(site.Close)
	temp := t.TempDir()
	cmd := exec.Command(pipetest.Binary(t), "--base-url", site.URL)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	p := pipetest.StartCmd(t, cmd)
	p.Call("nav", []any{"/"})
	held := func() (bytes int64) {
		_ = filepath.WalkDir(temp, func(path string, e fs.DirEntry, err error) error {
			if ok, _ := filepath.Match("playwright-artifacts-*", filepath.Base(filepath.Dir(path))); ok && err == nil {
				if info, err := e.Info(); err == nil {
					bytes += info.Size()
				}
			}
			return nil
		})
		return bytes
	}
	pipetest.Eventually(t, "all downloads of the page have ended", func() bool { return ended.Load() == 6 })
	pipetest.Eventually(t, "they are within the budget, and one of them is there", func() bool {
		bytes := held()
		return big <= bytes && bytes <= budget
	})
	path := p.Text("download", pipetest.Object{"url": "/big"})
	if info, err := os.Stat(path); err != nil || info.Size() != big {
		t.Errorf("the tool's: %v, %v", info, err)
	}
}
