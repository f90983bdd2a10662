package handlers_test

import (
	"fmt"
	"go/parser"
	"go/token"
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

// room is a package of handlers, and the others that it may import.
type room struct{ name, uses string }

// plan lists the packages by floor. A package may import only packages above it in
// this list, and of its own floor only those that it names. All may import
// provider, none cmd.
var plan = [][]room{
	{{"pwerrors", ""}, {"handles", ""}, {"files", ""}},
	{{"quota", ""}},
	{{"launch", "pwerrors"}, {"targetlist", "quota"}},
	{{"browser", "handles launch quota targetlist pwerrors"}},
	{{"artifacts", "browser files"}, {"guard", "browser files pwerrors"}, {"loadstate", "browser pwerrors"}, {"refs", "browser pwerrors"}, {"pool", "browser handles quota"}, {"workarounds", "browser"}},
	{{"fastpath", "browser launch refs pwerrors"}, {"events", "browser guard pwerrors"}},
	{{"tool", "browser fastpath events files guard launch loadstate refs workarounds pwerrors"}},
	{
		{"act", "browser fastpath launch files tool pwerrors"}, {"check", "files tool pwerrors"},
		{"navigate", "browser guard tool"}, {"network", "browser events files tool pwerrors"}, {"sockets", "browser events tool"}, {"repair", "browser refs tool pwerrors"},
		{"pages", "browser tool"}, {"reach", "fastpath guard tool pwerrors"}, {"read", "browser fastpath guard launch tool pwerrors"},
		{"record", "browser fastpath files tool pwerrors"}, {"state", "browser files tool pwerrors"},
	},
	{{"fetch", "browser guard pool read tool"}},
	{{"emulate", "browser workarounds state tool pwerrors"}},
	{{"agent", "act browser fastpath events files loadstate refs tool pwerrors"}},
}

// TestPlan: packages import only what the plan allows.
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

// imports returns the rooms that a package imports, and reports forbidden imports.
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
			case strings.HasPrefix(path, "pwpipe/cmd"), strings.HasPrefix(path, "pwpipe/features"), strings.HasPrefix(path, "pwpipe/provider/"), strings.HasPrefix(path, "pwpipe/tests"):
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
	return found
}

var rePackage = regexp.MustCompile(`(?s)// (?:Package|Command) \w+ (.*?)\npackage `)

// describe returns a row of docs/house.md: the file with the package comment,
// where a reader starts, the comment's first sentence, and the package's imports.
func describe(t *testing.T, name, folder, uses string) string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := rePackage.FindSubmatch(text)
		if m == nil || strings.HasSuffix(file, "_test.go") {
			continue
		}
		doc, _, _ := strings.Cut(strings.ReplaceAll(string(m[1]), "\n//", ""), ". ")
		return fmt.Sprintf("| `%s` | `%s` | %s | %s |\n", name, filepath.Base(file), strings.TrimSuffix(doc, "."), strings.ReplaceAll(uses, " ", ", "))
	}
	t.Errorf("%s has no doc comment", folder)
	return ""
}

// TestHouseIsDrawn: the tables of docs/house.md follow from the plan and the
// package comments.
func TestHouseIsDrawn(t *testing.T) {
	var rooms strings.Builder
	rooms.WriteString("| package | start at | it | uses |\n|---|---|---|---|\n")
	for _, floor := range slices.Backward(plan) {
		for _, r := range floor {
			rooms.WriteString(describe(t, r.name, r.name, r.uses))
		}
	}
	house := pipetest.Section(t, readHouse(t), "rooms", "\n"+rooms.String())
	for _, g := range tree {
		var rows strings.Builder
		rows.WriteString("| package | start at | it | uses |\n|---|---|---|---|\n")
		for _, r := range g.packages {
			rows.WriteString(describe(t, r.name, filepath.Join("..", r.name), strings.TrimSpace(strings.ReplaceAll(" "+r.uses, " internal/", " "))))
		}
		house = pipetest.Section(t, house, g.name, "\n"+rows.String())
	}
	pipetest.Golden(t, houseFile, house)
}

const houseFile = "../docs/house.md"

func readHouse(t *testing.T) string {
	t.Helper()
	return readFile(t, houseFile)
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
