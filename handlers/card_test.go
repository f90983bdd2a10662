package handlers_test

import (
	"debug/buildinfo"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// cardModules are the modules that this project is built on, by request.
var cardModules = []string{
	"github.com/playwright-community/playwright-go",
	"github.com/sourcegraph/jsonrpc2",
	"github.com/google/uuid",
}

// TestCard checks what the project was asked to be: three modules that are in the built
// program and that its own code imports, the folders on top, and six tools with the
// parameters that scripts of ilo use.
func TestCard(t *testing.T) {
	info, err := buildinfo.ReadFile(pipetest.Binary(t))
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{}
	for _, m := range info.Deps {
		linked[m.Path] = true
	}
	imported := importedModules(t)
	house := readHouse(t)
	for _, module := range cardModules {
		if !linked[module] {
			t.Errorf("the built program does not hold %s", module)
		}
		if !imported[module] {
			t.Errorf("no file of the program imports %s", module)
		}
		if !strings.Contains(house, "| `"+module+"` |") {
			t.Errorf("docs/house.md has no line about %s", module)
		}
	}
	// The card's own folders, and where hosts look for a skill and a plugin: at the top alone.
	for _, name := range []string{"cmd", "provider", "handlers", "ilo-examples", "fixtures", "go.mod", "README.md", "skills", "plugin.json"} {
		if _, err := os.Stat(filepath.Join("..", name)); err != nil {
			t.Errorf("the top folder has no %s", name)
		}
	}
	core := map[string]*provider.Tool{}
	for _, tool := range provider.NewTable(features.Tools(), provider.TableOptions{}).Profile("core") {
		core[tool.Name] = tool
	}
	for name, want := range map[string][]string{
		"nav": {"url"}, "fill": {"sel", "val"}, "txt": {"sel"}, "vis": {"sel"}, "shot": {"path"}, "route": {"pattern", "handler"},
	} {
		tool := core[name]
		if tool == nil {
			t.Errorf("profile core has no %s", name)
			continue
		}
		var required []string
		for _, p := range tool.Params {
			if !p.Optional {
				required = append(required, p.Name)
			}
		}
		if !slices.Equal(required, want) {
			t.Errorf("%s takes %v, not %v", name, required, want)
		}
	}
}

// importedModules are those modules of the card that files of the program import.
func importedModules(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	eachFile(t, func(file string) {
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "internal/pipetest/") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range parsed.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			for _, module := range cardModules {
				if path == module || strings.HasPrefix(path, module+"/") {
					found[module] = true
				}
			}
		}
	})
	return found
}
