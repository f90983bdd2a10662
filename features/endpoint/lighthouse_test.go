//go:build evidence

package endpoint_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// Lighthouse computes a performance score, for which it needs a trace.
func TestLighthouse(t *testing.T) {
	pipetest.Nightly(t, "TestTracing makes traces as it does") // the example of docs/cdp.md
	site := pipetest.ServePages(t, pages)
	p := pipetest.Start(t)
	p.Call("nav", []any{site + "/"})
	address := pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL
	in, err := setup.Ensure(t.Context(), setup.Options{SkipBrowser: true})
	if err != nil {
		t.Fatal(err)
	}
	modules := pipetest.NPM(t, "lighthouse@11.7.1", "puppeteer-core@22.15.0")
	out, err := exec.Command(in.Node, filepath.Join("testdata", "lighthouse.mjs"), address, site+"/", modules, examples(t, "js")[1]).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := pipetest.Decode[struct {
		Score *float64
		Why   string
	}](t, string(out))
	if got.Score == nil || *got.Score <= 0 {
		t.Errorf("no score: %s", out)
	}
}
