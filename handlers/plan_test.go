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

// describe returns where a reader of a package starts, the file with the package comment, and the
// comment's first sentence.
func describe(t *testing.T, folder string) (file, doc string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, file := range files {
		m := rePackage.FindStringSubmatch(readFile(t, file))
		if m == nil || strings.HasSuffix(file, "_test.go") {
			continue
		}
		doc, _, _ := strings.Cut(strings.ReplaceAll(m[1], "\n//", ""), ". ")
		return filepath.Base(file), strings.TrimSuffix(doc, ".")
	}
	t.Errorf("%s has no doc comment", folder)
	return "", ""
}

// TestHouseIsDrawn: the two tables of docs/house.md follow from the plan and the package comments.
// A package within a feature is in the feature's line.
func TestHouseIsDrawn(t *testing.T) {
	var core, features []string
	row := func(name string) string {
		file, doc := describe(t, filepath.Join("..", name))
		return fmt.Sprintf("| `%s` | `%s` | %s", name, file, doc)
	}
	for _, g := range tree {
		for _, r := range g.packages {
			switch parts := strings.Split(r.name, "/"); {
			case g.name != "features":
				core = append(core, row(r.name))
			case len(parts) == 2:
				features = append(features, row(r.name))
			default:
				file, doc := describe(t, filepath.Join("..", r.name))
				features[len(features)-1] += fmt.Sprintf(". `%s/%s` %s", parts[2], file, doc)
			}
		}
		if g.name == "program" {
			for _, floor := range slices.Backward(plan) {
				for _, r := range floor {
					core = append(core, row("handlers/"+r.name))
				}
			}
		}
	}
	table := func(rows []string) string {
		return "\n| package | start at | it |\n|---|---|---|\n" + strings.Join(rows, " |\n") + " |\n"
	}
	house := pipetest.Section(t, readHouse(t), "core", table(core))
	pipetest.Golden(t, houseFile, pipetest.Section(t, house, "features", table(features)))
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
