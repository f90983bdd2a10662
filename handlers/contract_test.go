package handlers_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pwpipe/handlers"
	"pwpipe/handlers/tool"
	"pwpipe/internal/pipetest"
)

// TestContracts: testdata/tools holds what clients rely on, one file a tool, so
// that reviews see every change of it.
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

// elsewhere lists parameters that have the name of a typed parameter but
// another meaning.
var elsewhere = map[string]string{
	"playwright_browser selector": "handed to the tool that it stands for",
	"download path":               "a file or a folder, which the download looks at",
	"set-cookie path":             "of a cookie",
	"clear-cookies path":          "of a cookie",
	"browser_cookie_list path":    "of a cookie",
	"browser_cookie_set path":     "of a cookie",
}

// TestTypedParameters: selectors and files have the types that every call
// checks. A plain string would reach the tool unchecked.
func TestTypedParameters(t *testing.T) {
	selector, read, write := reflect.TypeFor[tool.Selector](), reflect.TypeFor[tool.ReadPath](), reflect.TypeFor[tool.WritePath]()
	for _, spec := range handlers.Tools() {
		for _, p := range spec.Params {
			of := p.Type()
			if of.Kind() == reflect.Slice {
				of = of.Elem()
			}
			if of.Kind() != reflect.String || elsewhere[spec.Name+" "+p.Name] != "" {
				continue
			}
			if (p.Name == "sel" || p.Name == "selector" || p.Name == "ref" || strings.HasPrefix(p.Doc, "selector")) != (of == selector) {
				t.Errorf("%s: %s (%s) is a %s", spec.Name, p.Name, p.Doc, of)
			}
			if p.Name == "path" && of != read && of != write {
				t.Errorf("%s: %s (%s) is a %s", spec.Name, p.Name, p.Doc, of)
			}
		}
	}
}
