package handlers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/handlers"
	"pwpipe/internal/pipetest"
)

// TestContracts: testdata/tools says of each tool what clients rely on, a file
// a tool, so that a change of that is seen where it is reviewed.
func TestContracts(t *testing.T) {
	const dir = "testdata/tools"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	for _, tool := range handlers.Tools() {
		file := filepath.Join(dir, tool.Name+".json")
		if folded := strings.ToLower(file); files[folded] {
			t.Errorf("%s: some file systems take it for another's", file)
		} else {
			files[folded] = true
		}
		pipetest.Golden(t, file, tool.Contract())
	}
	old, _ := filepath.Glob(dir + "/*")
	for _, file := range old {
		if files[strings.ToLower(file)] {
			continue
		}
		if !pipetest.Update() {
			t.Errorf("%s is of no tool; `go test ./... -update` removes it", file)
		} else if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}
