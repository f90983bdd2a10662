package features_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/pipetest"
)

// TestDocs: docs/features.md lists the features.
func TestDocs(t *testing.T) {
	table := "\n| feature | lets you | needs |\n|---|---|---|\n"
	for _, f := range features.All() {
		table += "| `" + f.Name + "` | " + f.Doc + " | " + strings.Join(f.Needs, ", ") + " |\n"
	}
	pipetest.GoldenSection(t, "../docs/features.md", "features", table)
}

// asExample is a variable with which this test binary is the program of the example.
const asExample = "PWPIPE_TEST_EXAMPLE"

func TestMain(m *testing.M) {
	reexec.Run() // the program starts itself as another
	if os.Getenv(asExample) != "" {
		Example()
		return
	}
	pipetest.Main(m)
}

// TestEmbed: docs/embed.md has the example of this package, which runs. In CI a module of one's own
// builds it.
func TestEmbed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("package features_test"), []byte("package main"), 1)
	text = bytes.Replace(text, []byte("Example"), []byte("main"), 1)
	pipetest.GoldenSection(t, "../docs/embed.md", "program", "\n```go\n"+string(text)+"```\n")

	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if pipetest.Thorough() {
		exe = ownModule(t, text)
	}
	own := func(args ...string) *exec.Cmd {
		cmd := exec.Command(exe, args...)
		cmd.Env = append(os.Environ(), asExample+"=1")
		return cmd
	}
	p := pipetest.StartCmd(t, own("--base-url", pipetest.Site(t)))
	p.Call("nav", pipetest.List("/login"))
	if got := p.Call("words", pipetest.List("h1")); got != "2" {
		t.Errorf("the heading has %s words", got)
	}
	if got := p.Fail("words", pipetest.List("[bad")); !strings.HasPrefix(got, "words: ") {
		t.Error(got)
	}
	p.Call("clip", nil)
	if got := p.Fail("execute", pipetest.List("1")); got != "unknown method: execute" {
		t.Error(got)
	}
	if list, err := own("features").Output(); err != nil || strings.Count(string(list), "\n") != 3 {
		t.Errorf("%v, %s", err, list)
	}
}

// ownModule builds a program in a module of its own.
func ownModule(t *testing.T, text []byte) (exe string) {
	t.Helper()
	dir := t.TempDir()
	checkout, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	module = append(bytes.Replace(module, []byte("module pwpipe"), []byte("module example.com/own"), 1),
		"\nrequire pwpipe v0.0.0\n\nreplace pwpipe => "+filepath.ToSlash(checkout)+"\n"...)
	sums, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"main.go": text, "go.mod": module, "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	exe = filepath.Join(dir, "own.exe")
	build := exec.Command("go", "build", "-mod=mod", "-ldflags=-w", "-o", exe, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}
