package handlers_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// core are the packages that a reader of pwpipe begins with.
var core = []string{"handlers/navigate", "handlers/act", "handlers/read", "handlers/check", "handlers/pages",
	"handlers/network", "handlers/tool"}

// The most that all of them together may stand on.
const (
	coreLines    = 33_800
	corePackages = 41
)

// options are the packages that only a feature needs, beside those of features: pwpipe would drive a
// browser without.
var options = []string{
	"handlers/agent", "handlers/fetch",
	"handlers/pool", "handlers/repair", "handlers/sockets",
	"internal/browser/devtools", "internal/browser/grid",
	"internal/machine/cell", "internal/machine/keyring",
	"internal/policy/har", "internal/policy/storagestate",
	"internal/script/convert",
	"internal/shell/thin", "internal/shell/usersocket", "internal/text/hostconfig",
	"provider/commandline", "provider/service", "provider/toollist", "provider/wire",
}

// TestClosure prints what the core stands on, and fails where that grows or holds an option:
// an option hands the core values.
func TestClosure(t *testing.T) {
	imports := projectImports(t)
	all := closureOf(imports, core...)
	lines := 0
	for _, name := range all {
		n := linesOf(t, name)
		lines += n
		t.Logf("%6d %s", n, name)
		if slices.Contains(options, name) || strings.HasPrefix(name, "features") {
			t.Errorf("the core stands on %s, which is an option; `go list -deps ./%s` shows how", name, strings.Join(core, " ./"))
		}
	}
	t.Logf("%6d lines in %d packages", lines, len(all))
	if lines > coreLines || len(all) > corePackages {
		t.Errorf("the core stands on %d lines in %d packages, and may on %d in %d: have an option hand it a value",
			lines, len(all), coreLines, corePackages)
	}
	for _, name := range options {
		if imports[name] == nil && linesOf(t, name) == 0 {
			t.Errorf("%s is an option and has no files", name)
		}
	}
}

// closureOf are packages and all that they import, directly or not.
func closureOf(imports map[string][]string, names ...string) (all []string) {
	for todo := names; len(todo) > 0; todo = todo[1:] {
		if !slices.Contains(all, todo[0]) {
			all = append(all, todo[0])
			todo = append(todo, imports[todo[0]]...)
		}
	}
	slices.Sort(all)
	return all
}

// linesOf counts a package's lines of Go without tests, of all systems.
func linesOf(t *testing.T, name string) (n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", name, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n += bytes.Count(text, []byte("\n"))
	}
	return n
}
