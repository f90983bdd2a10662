package pipetest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

func TestBinaryRuns(t *testing.T) {
	out, _, status := pipetest.Run(t, "", "--version")
	pipetest.Has(t, out, "pwpipe version")
	if status != 0 {
		t.Errorf("status %d", status)
	}
}

// TestSourcesAreInputs: go test reads from a run's log which files the test
// used. If the program's sources were not among them, it would return cached
// results after they changed.
func TestSourcesAreInputs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	if out, err := exec.Command(os.Args[0], "-test.testlogfile="+file, "-test.run=^TestBinaryRuns$").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	log := strings.Split(string(raw), "\n")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"go.mod", "cmd/pwpipe/main.go", "internal/text/snapshot/fold.go", "internal/browser/driver/start.cjs"} {
		if !slices.Contains(log, "open "+filepath.Join(root, want)) {
			t.Errorf("%s is no input of the test", want)
		}
	}
	// A new or removed file.
	if !slices.Contains(log, "stat "+filepath.Join(root, "handlers")) {
		t.Error("the folder of handlers is no input of the test")
	}
	if slices.ContainsFunc(log, func(s string) bool { return strings.HasSuffix(s, "/cmd/pwpipe/main_test.go") }) {
		t.Error("tests of other packages are inputs")
	}
}
