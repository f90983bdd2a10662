package handlers_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// notWriters are the uses of the system's calls outside of package writefile, which makes,
// opens and replaces all files, with the reason.
var notWriters = map[string]string{
	"internal/browser/reexec/reexec_unix.go os.O_CREATE os.O_TRUNC os.O_WRONLY": "it becomes another program before most packages are initialised; the file is in a run's folder",
	"internal/machine/cell/enter_linux.go os.O_WRONLY":                          "a file of /proc, in the sandboxed process",
	"internal/shell/thin/thin_windows.go os.O_RDWR":                             "a named pipe",
	"features/scripts/nodesandbox/nodesandbox.go os.Rename":                     "it empties a folder that is removed",
	"internal/machine/temp/temp.go os.Symlink":                                  "links to run folders, which are swept",
	"features/scripts/scripthost/files.go os.O_APPEND os.O_EXCL os.O_TRUNC":     "they say how a script writes; writefile opens the file",
}

// writers are the calls and flags that make, open to write or replace a file.
var writers = []string{"os.Create", "os.CreateTemp", "os.WriteFile", "os.Rename", "os.Link", "os.Symlink",
	"os.O_WRONLY", "os.O_RDWR", "os.O_CREATE", "os.O_TRUNC", "os.O_APPEND", "os.O_EXCL", "ioutil.WriteFile", "ioutil.TempFile"}

// rooted are methods of os.Root that do so, as calls with these numbers of arguments.
var rooted = map[string]int{"Rename": 2, "Link": 2, "Symlink": 2}

// TestOneWriter: the product makes, opens to write and replaces files in one package.
func TestOneWriter(t *testing.T) {
	found := map[string][]string{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if e.IsDir() && (slices.Contains([]string{"tests", "fixtures", "deploy", "ilo-examples", "internal/pipetest", "internal/machine/writefile"}, name) ||
			e.Name() == "testdata" || len(e.Name()) > 2 && strings.HasPrefix(e.Name(), ".")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		if uses := writersIn(t, path); len(uses) > 0 {
			found[name] = uses
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	known := maps.Clone(notWriters)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		use := name + " " + strings.Join(found[name], " ")
		if known[use] == "" {
			t.Errorf("%s: files are written by internal/machine/writefile alone", use)
		}
		delete(known, use)
	}
	for use := range known {
		t.Errorf("%s: it is not there any more", use)
	}
}

// writersIn lists the calls and flags in a file, sorted.
func writersIn(t *testing.T, path string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && rooted[s.Sel.Name] == len(call.Args) && len(call.Args) > 0 {
				uses[fmt.Sprint(s.X, ".", s.Sel.Name)] = true
			}
		}
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(writers, x.Name+"."+s.Sel.Name) {
				uses[x.Name+"."+s.Sel.Name] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(uses))
}
