package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The command run is guarded like the pipe: stdout, both reports, and final
// errors.
func TestRunIsGuarded(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestServiceIsGuarded is quick")
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	script := file("a.ndjson", `{"method":"nav","params":["/form"]}
{"method":"fill","params":["#name","{{PASSWORD}}"]}
{"method":"fill","params":["#email","`+pin+`"]}
{"method":"value","params":["#name"]}
{"method":"txt","params":["h1"]}
{"method":"expect-value","params":["#name","x"],"timeout":0.5}
`)
	junit, page := filepath.Join(dir, "junit.xml"), filepath.Join(dir, "page.html")
	stdout, stderr, status := pipetest.Run(t, "", "run", "--base-url", pipetest.Site(t), "--secrets", secretsFile(t), "--content-boundaries",
		"--junit", junit, "--html", page, script)
	if status != 1 {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	pipetest.Has(t, stdout, "5 of 6 steps passed", "{{PASSWORD}}", "<secret:PASSWORD>", "<secret:PIN>", "expect-value: [page-content ")
	_, marker, _ := strings.Cut(stderr, "[page-content ")
	if marker, _, _ = strings.Cut(marker, "]"); len(marker) < 20 {
		t.Fatalf("no marker: %s", stderr)
	}
	for name, want := range map[string]string{junit: "&lt;secret:PASSWORD&gt;", page: "[page-content " + marker + "]Form[/page-content " + marker + "]"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s:\n%s", want, name, text)
		}
		if leaks(string(text)) {
			t.Errorf("%s leaks:\n%s", name, text)
		}
	}
	stdout, stderr, _ = pipetest.Run(t, "", "run", "--secrets", secretsFile(t), file("b.ndjson", `{"method":"nav","`+pin+`":1}`))
	pipetest.Has(t, stdout+stderr, "unknown key", "<secret:PIN>")
	if leaks(stdout + stderr) {
		t.Errorf("%s%s", stdout, stderr)
	}
}
