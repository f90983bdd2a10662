package handlers_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tree is the plan of all other packages, grouped by topic. Each imports only the
// project's packages that are listed beside it.
var tree = []struct {
	name     string
	packages []room
}{
	{"program", []room{
		{"cmd/pwpipe", "features cmd/program internal/machine/early"},
		{"features", "features/ handlers cmd/program provider"},
		{"cmd/program", "fixtures handlers internal/browser/reexec internal/machine/keyring internal/machine/memory internal/machine/rawio internal/machine/self internal/machine/setup internal/machine/temp internal/machine/writefile internal/policy internal/policy/guardproxy internal/policy/storagestate internal/script/convert internal/shell/thin internal/shell/usersocket internal/text/hostconfig internal/text/routedid internal/text/secrets internal/text/suggest provider provider/commandline provider/service"},
		{"provider", "internal/text/suggest internal/text/secrets provider/internal/rawjson"},
		{"deploy/pack", "features provider"},
		{"provider/service", "internal/text/routedid internal/shell/thin provider provider/commandline provider/internal/rawjson internal/machine/writefile"},
		{"provider/commandline", "internal/text/suggest provider provider/internal/rawjson"},
		{"internal/machine/early", "internal/browser/reexec internal/shell/thin"},
		{"internal/shell/thin", "internal/machine/tricks"},
		{"internal/shell/usersocket", "internal/shell/thin internal/machine/writefile"},
		{"provider/internal/rawjson", ""},
	}},
	{"features", []room{
		{"features/certificates", "cmd/program handlers internal/policy/clientcerts"},
		{"features/clipboard", "cmd/program handlers internal/browser/bundle provider"},
		{"features/devtools", "cmd/program handlers internal/browser/cdp internal/browser/devtools internal/browser/heap internal/browser/perftrace internal/machine/writefile internal/script/strictjson provider"},
		{"features/endpoint", "cmd/program features/clipboard handlers internal/browser/cdp internal/browser/driver internal/policy internal/script/cdpview provider provider/service"},
		{"features/film", "cmd/program handlers internal/browser/cdp internal/machine/temp internal/machine/writefile internal/text/secrets provider"},
		{"features/grid", "cmd/program handlers internal/browser/cdp internal/browser/grid internal/machine/writefile"},
		{"features/har", "cmd/program handlers internal/machine/writefile internal/policy/har internal/policy/urlglob provider"},
		{"features/hosts", "cmd/program"},
		{"features/login", "cmd/program features/clipboard handlers internal/browser/cdp internal/policy/logins internal/text/secrets provider"},
		{"features/namedbrowser", "cmd/program handlers internal/machine/setup internal/machine/writefile provider"},
		{"features/owntabs", "cmd/program handlers internal/browser/cdp internal/browser/extension internal/browser/lend internal/shell/thin internal/shell/usersocket"},
		{"features/playwrightmcp", "cmd/program handlers provider"},
		{"features/record", "cmd/program handlers"},
		{"features/scripts", "cmd/program features/devtools features/endpoint features/film features/har handlers internal/browser/cdp internal/browser/contextoptions internal/machine/setup internal/policy internal/script/cdpview internal/script/nodesandbox internal/script/scripthost internal/script/typescript provider"},
		{"features/service", "cmd/program features/har handlers internal/machine/setup internal/policy/storagestate provider"},
		{"features/shell", "cmd/program internal/machine/writefile provider provider/commandline"},
		{"features/states", "cmd/program handlers provider"},
		{"features/telemetry", "cmd/program provider"},
		{"features/watch", "cmd/program features/clipboard features/film handlers internal/browser/cdp internal/text/routedid provider provider/service"},
		{"features/webmcp", "cmd/program handlers internal/browser/cdp internal/text/secrets provider"},
	}},
	{"chromium", []room{
		{"internal/browser/driver", "internal/browser/bundle internal/browser/reexec internal/machine/self internal/machine/temp internal/machine/tricks internal/machine/writefile"},
		{"internal/browser/chromium", "internal/browser/cdp internal/browser/reexec internal/machine/rawio internal/machine/tricks"},
		{"internal/browser/extension", "internal/browser/cdp internal/browser/tabwall internal/script/strictjson internal/shell/thin internal/shell/usersocket internal/machine/writefile"},
		{"internal/browser/bundle", ""},
		{"internal/browser/navwatch", "internal/browser/cdp"},
		{"internal/browser/devtools", "internal/text/secrets"},
		{"internal/browser/heap", "internal/text/secrets"},
		{"internal/browser/perftrace", "internal/text/secrets"},
		{"internal/browser/chromesandbox", "internal/browser/cdp internal/browser/chromium internal/machine/temp"},
		{"internal/browser/contextoptions", ""},
		{"internal/browser/grid", "internal/machine/writefile"},
		{"internal/browser/lend", "internal/browser/cdp internal/browser/tabwall internal/machine/writefile"},
		{"internal/browser/tabwall", "internal/browser/cdp"},
		{"internal/browser/cdp", "internal/machine/tricks"},
		{"internal/browser/reexec", ""},
		{"internal/machine/self", ""},
	}},
	{"scripts", []room{
		{"internal/script/scripthost", "internal/browser/bundle internal/script/nodesandbox internal/machine/rawio internal/script/strictjson internal/script/typescript internal/script/cdpview internal/machine/writefile"},
		{"internal/script/cdpview", "internal/browser/cdp internal/machine/writefile"},
		{"internal/script/nodesandbox", "internal/browser/reexec internal/machine/self"},
		{"internal/script/typescript", "internal/machine/self"},
		{"internal/script/convert", ""},
		{"internal/script/strictjson", ""},
	}},
	{"walls", []room{
		{"internal/policy/guardproxy", "internal/policy"},
		{"internal/policy", ""},
		{"internal/policy/urlglob", ""},
		{"internal/policy/clientcerts", "internal/policy/logins internal/script/strictjson internal/text/secrets internal/machine/writefile"},
		{"internal/policy/logins", "internal/text/secrets internal/machine/writefile"},
		{"internal/text/secrets", "internal/machine/writefile"},
		{"internal/text/secrets/secretstest", ""},
		{"internal/policy/har", "internal/machine/writefile"},
		{"internal/policy/storagestate", "internal/script/strictjson internal/machine/writefile"},
	}},
	{"texts", []room{
		{"internal/text/snapshot", "internal/text/secrets"},
		{"internal/text/suggest", ""},
		{"internal/text/hostconfig", ""},
		{"internal/text/tokens", ""},
		{"internal/text/routedid", ""},
	}},
	{"machine", []room{
		{"internal/machine/setup/renew", "internal/machine/setup"},
		{"internal/machine/setup", "internal/browser/chromesandbox internal/machine/writefile"},
		{"internal/machine/keyring", ""},
		{"internal/machine/memory", ""},
		{"internal/machine/writefile", "internal/machine/temp"},
		{"internal/machine/temp", ""},
		{"internal/machine/rawio", "internal/machine/tricks"},
		{"internal/machine/tricks", ""},
	}},
	{"tests", []room{
		{"internal/pipetest", "fixtures internal/machine/setup internal/pipetest/until"},
		{"internal/pipetest/until", ""},
		{"fixtures", ""},
	}},
}

// TestTree: every package of the project is in the plan, and imports what it says.
func TestTree(t *testing.T) {
	allowed := map[string][]string{}
	for _, g := range tree {
		for _, r := range g.packages {
			allowed[r.name] = strings.Fields(r.uses)
		}
	}
	for name, found := range projectImports(t) {
		uses, ok := allowed[name]
		delete(allowed, name)
		switch {
		case ok:
		case strings.HasPrefix(name, "handlers"), strings.HasPrefix(name, "tests"), strings.HasPrefix(name, "ilo-examples"):
			continue // the plan has the rooms; nothing imports the others
		default:
			t.Errorf("%s is not in the plan: say what it deals with, and what it uses", name)
			continue
		}
		for _, path := range found {
			room := strings.HasPrefix(path, "handlers/") && slices.Contains(uses, "handlers") ||
				strings.HasPrefix(path, "features/") && slices.Contains(uses, "features/")
			if !room && !slices.Contains(uses, path) {
				t.Errorf("%s imports %s, which the plan does not say", name, path)
			}
		}
		for _, path := range uses {
			if !slices.ContainsFunc(found, func(p string) bool { return p == path || path == "features/" && strings.HasPrefix(p, path) }) {
				t.Errorf("the plan lets %s use %s, which it does not", name, path)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		t.Errorf("%s is in the plan and has no files", name)
	}
}

// projectImports returns the project's packages and their imports of each other,
// on any system, without tests.
func projectImports(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	eachFile(t, func(file string) {
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.ToSlash(filepath.Dir(file))
		list := all[name]
		for _, i := range parsed.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if path, ok := strings.CutPrefix(path, "pwpipe/"); ok && !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
		all[name] = list
	})
	return all
}

// eachFile calls see with every file of the project, by its path from the top.
func eachFile(t *testing.T, see func(file string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "node_modules" || name == "testdata" || name != ".." && strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		file, err := filepath.Rel("..", path)
		if err == nil {
			see(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
