package features_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/internal/pipetest"
)

// TestLeftOut builds the program without a feature's line, and without the lines of those that
// need it, and runs the main job: for each feature each night, for every fifth in CI. A build takes
// ten seconds of a processor.
func TestLeftOut(t *testing.T) {
	pipetest.InCI(t, "it is long, TestEmbed runs a program with two features, and TestWithoutAll one with none")
	t.Parallel()
	var names []string
	for _, f := range features.All() {
		names = append(names, f.Name)
	}
	for _, name := range pipetest.Sample(names, 5) {
		t.Run(name, func(t *testing.T) {
			exe := buildWithout(t, withThoseThatNeed(name))
			cmd := exec.Command(exe, "features")
			list, err := cmd.Output()
			if err != nil || strings.Contains("\n"+string(list), "\n"+name+" ") {
				t.Errorf("%v, %s", err, list)
			}
			help, err := exec.Command(exe, "--help").CombinedOutput()
			if err != nil || !strings.Contains(string(help), "--base-url") {
				t.Errorf("%v, %s", err, help)
			}
			mainJob(t, exec.Command(exe))
		})
	}
}

// TestWithoutAll: the core does the main job by itself.
func TestWithoutAll(t *testing.T) {
	t.Parallel()
	var names []string
	for _, f := range features.All() {
		names = append(names, f.Name)
	}
	mainJob(t, exec.Command(pipetest.Binary(t), "--without", strings.Join(names, ",")))
}

// mainJob goes to a page, fills, reads, looks, takes a picture and answers a request.
func mainJob(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	site := pipetest.Site(t)
	cmd.Args = append(cmd.Args, "--base-url", site)
	p := pipetest.StartCmd(t, cmd)
	p.Call("nav", pipetest.List("/login"))
	p.Call("fill", pipetest.List("[name=email]", "ann"))
	if got := p.Call("value", pipetest.List("[name=email]")); got != `"ann"` {
		t.Errorf("the field has %s", got)
	}
	if got := p.Call("vis", pipetest.List("[name=email]")); got != "true" {
		t.Errorf("vis: %s", got)
	}
	path := filepath.Join(t.TempDir(), "page.png")
	p.Call("shot", pipetest.List(path))
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("the picture: %v", err)
	}
	p.Call("route", pipetest.List("**/made-up", `{"body":"<h1>Made</h1>","contentType":"text/html"}`))
	p.Call("nav", pipetest.List("/made-up"))
	if got := p.Call("txt", pipetest.List("h1")); got != `"Made"` {
		t.Errorf("txt: %s", got)
	}
}

// withThoseThatNeed are a feature and those that can't be without it.
func withThoseThatNeed(name string) []string {
	out := []string{name}
	for i := 0; i < len(out); i++ {
		for _, f := range features.All() {
			if slices.Contains(f.Needs, out[i]) && !slices.Contains(out, f.Name) {
				out = append(out, f.Name)
			}
		}
	}
	return out
}

// buildWithout builds the program with a list that has no lines of some features.
func buildWithout(t *testing.T, names []string) (exe string) {
	t.Helper()
	text, err := os.ReadFile("features.go")
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(string(text)) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), ",")
		if !slices.ContainsFunc(names, func(name string) bool {
			return word == name+".Feature" || word == `"pwpipe/features/`+name+`"`
		}) {
			kept = append(kept, line)
		}
	}
	dir := t.TempDir()
	changed := filepath.Join(dir, "features.go")
	list, err := filepath.Abs("features.go")
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {list: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{changed: strings.Join(kept, ""), filepath.Join(dir, "overlay.json"): string(overlay)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	exe = filepath.Join(dir, "pwpipe.exe")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-w", "-overlay", filepath.Join(dir, "overlay.json"),
		"-o", exe, "pwpipe/cmd/pwpipe").CombinedOutput()
	if err != nil {
		t.Fatalf("without %s: %v\n%s", strings.Join(names, ", "), err, out)
	}
	return exe
}
