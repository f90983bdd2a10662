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
		{"cmd/program", "fixtures handlers internal/machine/cell internal/machine/keyring internal/machine/memory internal/machine/rawio internal/machine/self internal/machine/setup internal/machine/writefile internal/policy internal/policy/guardproxy internal/policy/storagestate internal/shell/thin internal/text/routedid internal/text/secrets internal/text/suggest provider provider/commandline provider/service provider/toollist provider/wire"},
		{"provider/wire", "provider provider/internal/rawjson"},
		{"provider/toollist", "internal/text/suggest provider provider/internal/rawjson"},
		{"provider", "internal/text/suggest internal/text/secrets provider/internal/rawjson"},
		{"deploy/pack", "deploy/packages features"},
		{"deploy/packages", "provider provider/toollist"},
		{"provider/service", "internal/text/routedid internal/shell/thin provider provider/commandline provider/internal/rawjson provider/toollist provider/wire internal/machine/writefile"},
		{"provider/commandline", "internal/text/suggest provider provider/internal/rawjson"},
		{"internal/machine/early", "internal/machine/cell internal/shell/thin"},
		{"internal/shell/thin", "internal/machine/tricks"},
		{"internal/shell/usersocket", "internal/shell/thin internal/machine/writefile"},
		{"provider/internal/rawjson", ""},
	}},
	{"features", []room{
		{"features/certificates", "cmd/program features/certificates/clientcerts handlers"},
		{"features/certificates/clientcerts", "features/login/logins internal/machine/writefile internal/script/strictjson internal/text/secrets"},
		{"features/clipboard", "cmd/program handlers internal/browser/bundle internal/browser/cdp provider"},
		{"features/devtools", "cmd/program features/devtools/heap features/devtools/perftrace handlers internal/browser/cdp internal/browser/devtools internal/machine/writefile internal/script/strictjson provider"},
		{"features/devtools/heap", "internal/text/secrets"},
		{"features/devtools/perftrace", "internal/text/secrets"},
		{"features/endpoint", "cmd/program features/clipboard features/endpoint/cdpview handlers internal/browser/cdp internal/browser/driver internal/policy provider provider/service"},
		{"features/endpoint/cdpview", "internal/browser/cdp internal/machine/writefile"},
		{"features/film", "cmd/program handlers internal/browser/cdp internal/machine/temp internal/machine/writefile internal/text/secrets provider"},
		{"features/grid", "cmd/program handlers internal/browser/cdp internal/browser/grid internal/machine/writefile"},
		{"features/har", "cmd/program handlers internal/machine/writefile internal/policy/har internal/policy/urlglob provider"},
		{"features/hosts", "cmd/program features/playwrightmcp internal/machine/writefile internal/text/hostconfig"},
		{"features/login", "cmd/program features/clipboard features/login/logins handlers internal/browser/cdp internal/text/secrets provider"},
		{"features/login/logins", "internal/machine/writefile internal/shell/thin internal/text/secrets"},
		{"features/namedbrowser", "cmd/program handlers internal/machine/setup internal/machine/writefile provider"},
		{"features/owntabs", "cmd/program features/owntabs/extension features/owntabs/lend handlers internal/browser/cdp internal/shell/thin internal/shell/usersocket"},
		{"features/owntabs/extension", "features/owntabs/tabwall internal/browser/cdp internal/machine/writefile internal/script/strictjson internal/shell/thin internal/shell/usersocket"},
		{"features/owntabs/lend", "features/owntabs/tabwall internal/browser/cdp internal/machine/writefile"},
		{"features/owntabs/tabwall", "internal/browser/cdp"},
		{"features/playwrightmcp", "cmd/program features/playwrightmcp/mcptools handlers internal/machine/setup internal/machine/writefile internal/policy internal/text/secrets internal/text/suggest provider provider/service provider/wire"},
		{"features/playwrightmcp/mcptools", "features/film features/scripts features/watch/marks features/webmcp handlers/act handlers/agent handlers/browser handlers/check handlers/emulate handlers/events handlers/fastpath handlers/files handlers/guard handlers/navigate handlers/network handlers/pages handlers/pwerrors handlers/read handlers/record handlers/refs handlers/state handlers/tool internal/browser/contextoptions internal/machine/writefile internal/policy provider provider/wire"},
		{"features/record", "cmd/program features/record/recorder handlers internal/machine/setup internal/script/convert internal/shell/thin provider"},
		{"features/record/recorder", "handlers/act handlers/browser handlers/pwerrors handlers/refs handlers/tool internal/machine/tricks provider"},
		{"features/scripts", "cmd/program features/devtools features/endpoint features/endpoint/cdpview features/film features/har features/scripts/nodesandbox features/scripts/scripthost features/scripts/typescript handlers internal/browser/cdp internal/browser/contextoptions internal/machine/setup internal/policy provider"},
		{"features/scripts/nodesandbox", "internal/machine/cell internal/machine/self"},
		{"features/scripts/scripthost", "features/endpoint/cdpview features/scripts/nodesandbox features/scripts/typescript internal/browser/bundle internal/machine/rawio internal/machine/writefile internal/script/strictjson"},
		{"features/scripts/typescript", "internal/machine/self"},
		{"features/service", "cmd/program features/har handlers internal/machine/setup internal/policy/storagestate provider provider/toollist"},
		{"features/shell", "cmd/program handlers internal/machine/setup internal/machine/temp internal/machine/writefile internal/shell/thin internal/shell/usersocket provider provider/commandline provider/service provider/wire"},
		{"features/states", "cmd/program handlers internal/machine/temp internal/policy/storagestate internal/shell/thin provider provider/service"},
		{"features/telemetry", "cmd/program provider"},
		{"features/watch", "cmd/program features/clipboard features/film features/record/recorder features/watch/marks handlers internal/browser/cdp internal/text/routedid provider provider/service"},
		{"features/watch/marks", "handlers/tool provider"},
		{"features/webmcp", "cmd/program handlers internal/browser/cdp internal/text/secrets provider"},
	}},
	{"chromium", []room{
		{"internal/browser/driver", "internal/browser/bundle internal/browser/reexec internal/machine/self internal/machine/temp internal/machine/tricks internal/machine/writefile"},
		{"internal/browser/chromium", "internal/browser/cdp internal/browser/reexec internal/machine/rawio internal/machine/tricks"},
		{"internal/browser/bundle", ""},
		{"internal/browser/navwatch", "internal/browser/cdp"},
		{"internal/browser/devtools", "internal/text/secrets"},
		{"internal/browser/chromesandbox", "internal/browser/cdp internal/browser/chromium internal/machine/temp"},
		{"internal/browser/contextoptions", ""},
		{"internal/browser/grid", "internal/machine/writefile"},
		{"internal/browser/cdp", "internal/machine/tricks"},
		{"internal/browser/reexec", ""},
		{"internal/machine/self", ""},
	}},
	{"scripts", []room{
		{"internal/script/convert", ""},
		{"internal/script/strictjson", ""},
	}},
	{"walls", []room{
		{"internal/policy/guardproxy", "internal/policy"},
		{"internal/policy", ""},
		{"internal/policy/urlglob", ""},
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
		{"internal/machine/setup", "internal/browser/chromesandbox internal/machine/writefile"},
		{"internal/machine/cell", "internal/browser/reexec"},
		{"internal/machine/keyring", ""},
		{"internal/machine/memory", ""},
		{"internal/machine/writefile", "internal/machine/temp"},
		{"internal/machine/temp", ""},
		{"internal/machine/rawio", "internal/machine/tricks"},
		{"internal/machine/tricks", ""},
	}},
	{"tests", []room{
		{"internal/pipetest", "fixtures internal/machine/setup internal/pipetest/until"},
		{"internal/pipetest/transcript", "internal/pipetest"},
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
