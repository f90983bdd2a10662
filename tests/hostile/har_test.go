//go:build evidence

package hostile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestHARsHaveABound: recording a page's responses does not make the driver grow.
// The HAR has all requests, and says why a body is missing.
func TestHARsHaveABound(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHAR of tests/eachtool is quick")
	p, driver := start(t)
	at := p.Text("url", nil)
	path := filepath.Join(t.TempDir(), "a.har")
	n := 12
	watched(p, driver, "har", func() {
		c := p.Text("open-ctx", pipetest.Object{"har": path})
		page := p.Text("new-page", pipetest.List(c))
		p.Call("nav", pipetest.List(at), "page", page)
		p.Call("eval", pipetest.List(fmt.Sprintf(`(async () => {
			for (let i = 0; i < %d; i++) await (await fetch('/large?' + i)).text();
			await (await fetch('/sink?small')).text();
		})()`, n)), "timeout", 100, "page", page)
		p.Call("requests", pipetest.Object{"url": "small"}, "page", page) // by now the driver has seen it
		p.Call("close-ctx", pipetest.List(c), "timeout", 60)
	})
	var har struct {
		Log struct {
			Entries []struct {
				Request  struct{ URL string }
				Response struct {
					Content struct {
						Text, Comment string
						Size          int
					}
				}
			}
		}
	}
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &har)
	}
	if err != nil {
		t.Fatal(err)
	}
	kept, without, small := 0, 0, ""
	for _, e := range har.Log.Entries {
		c := e.Response.Content
		switch {
		case strings.HasSuffix(e.Request.URL, "?small"):
			small = c.Text
		case !strings.Contains(e.Request.URL, "/large"):
		case len(c.Text) == 5<<20:
			kept++
		case c.Text == "" && c.Size == 5<<20 && strings.Contains(c.Comment, "32 MiB"):
			without++
		}
	}
	if kept != 6 || kept+without != n || !strings.Contains(small, "hostile") {
		t.Errorf("%d bodies, %d without, the small one %q", kept, without, small)
	}
}
