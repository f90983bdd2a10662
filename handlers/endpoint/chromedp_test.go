package endpoint_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// chromedp is a client, too. It is a module of its own, that nothing else needs.
func TestChromedp(t *testing.T) {
	pipetest.InCI(t, "it fetches and compiles a client")
	t.Parallel()
	program := filepath.Join(t.TempDir(), "client")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.Join("testdata", "chromedp")
	build.Env = append(build.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "dial tcp") || strings.Contains(string(out), "module lookup disabled") {
			t.Skipf("chromedp can't be had here: %s", out)
		}
		t.Fatalf("%v: %s", err, out)
	}
	site := pipetest.ServePages(t, pages)
	p := pipetest.Start(t)
	p.Call("nav", []any{site + "/"})
	p.Call("eval", []any{"document.cookie = 'cookie0=1'"})
	out, err := exec.Command(program, pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL, site).Output() // what it does not know of a newer Chromium it says on stderr
	if want := `{"clicked":"1","cookie":"cookie0=1","own":"/two","pages":["/"],"picture":true}` + "\n"; err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
	if text := p.Text("txt", []any{"#count"}); text != "1" {
		t.Errorf("the tools see %s", text)
	}
}
