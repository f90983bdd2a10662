//go:build evidence

package endpoint_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// chromedp and go-rod work as clients. Each is in a module of its own, because only
// this test needs them.
func TestGoClients(t *testing.T) {
	pipetest.Nightly(t, "it fetches and compiles clients")
	t.Parallel()
	for name, want := range map[string]string{
		"chromedp": `{"clicked":"1","cookie":"cookie0=1","own":"/two","pages":["/"],"picture":true}`,
		"rod":      `{"clicked":"1","own":"two","pages":["/"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			goClient(t, name, want+"\n")
		})
	}
}

func goClient(t *testing.T, name, want string) {
	program := filepath.Join(t.TempDir(), "client")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.Join("testdata", name)
	build.Env = append(build.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "dial tcp") || strings.Contains(string(out), "module lookup disabled") {
			t.Skipf("%s can't be had here: %s", name, out)
		}
		t.Fatalf("%v: %s", err, out)
	}
	site := pipetest.ServePages(t, pages)
	p := pipetest.Start(t)
	p.Call("nav", []any{site + "/"})
	p.Call("eval", []any{"document.cookie = 'cookie0=1'"})
	address := pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL
	out, err := exec.Command(program, address, site).Output() // stderr reports events of a newer Chromium that it does not know
	if err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
	if text := p.Text("txt", []any{"#count"}); text != "1" {
		t.Errorf("the tools see %s", text)
	}
}
