package handlers_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// room is a package below handlers, and what it may import of the others.
type room struct{ name, uses string }

// plan is the house, floor by floor: who is on one imports from those above it in
// this list only, and of its own floor what is named. All may import provider,
// none cmd.
var plan = [][]room{
	{{"words", ""}, {"lists", ""}, {"files", ""}},
	{{"launch", "words"}, {"targets", "lists"}},
	{{"browser", "launch lists targets words"}},
	{{"artifacts", "browser files"}, {"guard", "browser files words"}, {"load", "browser words"}, {"refs", "browser words"}, {"pool", "browser lists"}, {"renderer", "browser"}, {"film", "browser files"}},
	{{"direct", "browser launch refs words"}, {"events", "browser guard words"}},
	{{"tool", "browser direct events files guard launch load refs renderer words"}},
	{{"clipboard", "browser launch tool words"}, {"har", "browser files tool words"}},
	{
		{"act", "browser clipboard files tool words"}, {"check", "files tool words"},
		{"inspect", "browser tool words"}, {"navigate", "guard tool"}, {"network", "browser events files tool words"},
		{"pages", "browser tool"}, {"reach", "direct guard tool words"}, {"read", "browser direct launch tool words"},
		{"record", "browser direct files film tool words"}, {"state", "clipboard files tool words"},
		{"named", "browser files guard load renderer tool words"},
	},
	{{"endpoint", "act browser clipboard files guard renderer tool"}, {"rpc", "act browser clipboard events files load pool read refs tool"}, {"emulate", "browser har renderer state tool words"}},
	{{"scripts", "act browser direct endpoint files film guard har refs renderer tool words"}},
	{{"agent", "browser direct events files inspect load refs scripts tool words"}},
	{{"watch", "agent browser clipboard events files pool record tool words"}},
}

// large are the rooms with more than 2,500 lines, each with the reason.
var large = map[string]string{
	"browser": "sessions, contexts, pages and their ends share one lock; they are to be taken apart",
}

// TestPlan: packages import what the plan says, so that arrows go one way.
func TestPlan(t *testing.T) {
	above := map[string]bool{}
	for _, floor := range plan {
		for _, r := range floor {
			allowed := strings.Fields(r.uses)
			for _, name := range allowed {
				if !above[name] {
					t.Errorf("the plan lets %s use %s, which is not above it", r.name, name)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(imports(t, r.name))) {
				if !slices.Contains(allowed, name) {
					t.Errorf("handlers/%s imports %s, which the plan does not say", r.name, name)
				}
			}
		}
		for _, r := range floor {
			above[r.name] = true
		}
	}
	folders, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if name := filepath.Dir(f); !above[name] {
			t.Errorf("handlers/%s is not in the plan", name)
		}
	}
}

// imports are the rooms that the files of one import, and what of the project
// they must not.
func imports(t *testing.T, name string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(name, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in handlers/%s (%v)", name, err)
	}
	found := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range parsed.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			switch rest, ok := strings.CutPrefix(path, "pwpipe/handlers"); {
			case ok:
				found[strings.TrimPrefix(rest, "/")] = true
			case strings.HasPrefix(path, "pwpipe/cmd"), strings.HasPrefix(path, "pwpipe/provider/"), strings.HasPrefix(path, "pwpipe/tests"):
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
	return found
}

var rePackage = regexp.MustCompile(`(?s)// Package \w+ (.*?)\npackage `)

// TestHouseIsDrawn: the table of docs/house.md says what the plan and the
// packages themselves say.
func TestHouseIsDrawn(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("| room | what it does | uses |\n|---|---|---|\n")
	for _, floor := range slices.Backward(plan) {
		for _, r := range floor {
			doc, lines := "", 0
			files, _ := filepath.Glob(filepath.Join(r.name, "*.go"))
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				lines += strings.Count(string(text), "\n")
				if m := rePackage.FindStringSubmatch(string(text)); m != nil {
					doc, _, _ = strings.Cut(strings.ReplaceAll(m[1], "\n//", ""), ". ")
				}
			}
			if doc == "" {
				t.Errorf("handlers/%s has no doc comment", r.name)
			}
			if lines > 2500 && large[r.name] == "" {
				t.Errorf("handlers/%s has %d lines: more than one topic?", r.name, lines)
			}
			fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", r.name, strings.TrimSuffix(doc, "."), strings.ReplaceAll(r.uses, " ", ", "))
		}
	}
	const file = "../docs/house.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- rooms -->\n", "<!-- /rooms -->"
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the rooms", file)
	}
	pipetest.Golden(t, file, before+begin+rows.String()+end+after)
}

// TestFilesAreShort: a file is of one topic, and fits the head; a function fits
// a screen.
func TestFilesAreShort(t *testing.T) {
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() != ".." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(file, "_test.go") || !slices.Contains([]string{".go", ".js", ".cjs"}, filepath.Ext(file)):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), "\n"); n > 300 {
			t.Errorf("%s has %d lines; 300 are the most", file, n)
		}
		if filepath.Ext(file) == ".go" {
			shortFunctions(t, file, text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// shortFunctions complains of a file's functions that are too long.
func shortFunctions(t *testing.T, file string, text []byte) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			if n := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1; n > 60 {
				t.Errorf("%s: %s has %d lines; 60 are the most", file, fn.Name.Name, n)
			}
		}
	}
}
