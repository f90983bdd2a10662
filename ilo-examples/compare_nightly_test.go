//go:build evidence

package iloexamples

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// flow runs a Playwright flow of compare/ with node, as its run.mjs says.
func flow(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	in, err := setup.Ensure(context.Background(), setup.Options{Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if in.Kind != "chromium" || in.Channel != "" {
		t.Skipf("run.mjs starts a Chromium, and the browser chosen is %s %s", in.Kind, in.Channel)
	}
	cmd := exec.Command(in.Node, append([]string{"compare/run.mjs"}, args...)...)
	cmd.Env = append(os.Environ(), append(in.Env, in.DriverEnv...)...)
	cmd.Env = append(cmd.Env, "PLAYWRIGHT_CORE="+filepath.Join(in.DriverDir, "package"))
	if in.Executable != "" {
		cmd.Env = append(cmd.Env, "CHROMIUM="+in.Executable)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// flowArgs are a Playwright flow's arguments: an ilo program's without the name
// of its function.
func flowArgs(name, base string, args []string) []string {
	return append([]string{name, base}, args[1:]...)
}

// TestPlaywrightFlows: the counted JavaScript does what the ilo programs do,
// and prints the same.
func TestPlaywrightFlows(t *testing.T) {
	pipetest.Nightly(t, "nothing of ours runs here")
	t.Parallel()
	site := pipetest.Site(t)
	for _, e := range examples {
		out, errs, status := flow(t, flowArgs(e.name, site, e.args)...)
		if want := read(t, e.name+".out"); status != 0 || out != want {
			t.Errorf("%s: status %d, got %q, want %q\n%s", e.name, status, out, want, errs)
		}
	}
	out, errs, status := flow(t, "login-flow", site, "ada@mail.example", "secret")
	if status != 0 || out != site+"/dashboard\n" {
		t.Errorf("login-flow: status %d, got %q\n%s", status, out, errs)
	}
	for _, bad := range []struct {
		args []string
		want string
	}{
		{[]string{"login", site, "ada@mail.example", "wrong"}, "Wrong e-mail or password."},
		{[]string{"scrape", site, "/login"}, "Sign in"},
		{[]string{"multi-page", site, "ada@mail.example", "wrong"}, "Sign in"},
	} {
		out, errs, status := flow(t, bad.args...)
		if status != 1 || out != "" || !strings.Contains(errs, bad.want) {
			t.Errorf("%v: status %d, got %q, %q", bad.args, status, out, errs)
		}
	}
}

// TestRequestFlows: the counted requests succeed, and their answers are what
// the ilo programs print.
func TestRequestFlows(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestScripts of cmd/pwpipe is quick")
	t.Parallel()
	site := pipetest.Site(t)
	results := func(name string, more ...string) (texts []string, failure string) {
		out, errs, status := pipetest.Run(t, read(t, "compare/"+name+".ndjson"), append([]string{"--strict"}, more...)...)
		for line := range strings.Lines(out) {
			var r struct {
				Result any    `json:"result"`
				Error  string `json:"error"`
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("%s: %q: %v\n%s", name, line, err, errs)
			}
			if s, ok := r.Result.(string); ok {
				texts = append(texts, s)
			}
			failure += r.Error
		}
		if (failure == "") != (status == 0) {
			t.Errorf("%s: status %d, %q\n%s", name, status, failure, errs)
		}
		return texts, failure
	}
	for _, e := range examples {
		texts, failure := results(e.name, "--base-url", site)
		if failure != "" {
			t.Errorf("%s: %s", e.name, failure)
		}
		for line := range strings.Lines(read(t, e.name+".out")) {
			_, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if !ok {
				value = strings.TrimSpace(line)
			}
			if !strings.Contains(strings.Join(texts, "\n"), value) {
				t.Errorf("%s: %q is not among %q", e.name, value, texts)
			}
		}
	}
	if texts, failure := results("login-flow", "--base-url", site); failure != "" || texts[len(texts)-1] != site+"/dashboard" {
		t.Errorf("login-flow: %q %s", texts, failure)
	}
	// They check what the programs check.
	for _, m := range pipetest.Sample([][3]string{
		{"login", "Welcome, ada@mail.example", "Welcome, guest"},
		{"scrape", "${list.children.length} projects", "7 projects"},
		{"multi-page", "<h1>Sign in</h1>", "<h1>Welcome, stranger</h1>"},
		{"mock", "await answer.json()", `{name: "Ada Thorsen"}`},
	}, 4) {
		if texts, failure := results(m[0], "--timeout", "3", "--base-url", mutated(t, site, m[1], m[2])); failure == "" {
			t.Errorf("%s believes a site that says %q: %q", m[0], m[2], texts)
		}
	}
}
