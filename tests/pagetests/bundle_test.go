//go:build evidence

package pagetests

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

var (
	//go:embed page.js
	pageModule string
	//go:embed given.js
	givenScript string
)

// spec is a file of tests, bundled.
type spec struct {
	name, code string
}

// bundle makes one script of a test file and its imports. Imports of Playwright's
// sources other than tests and plain helpers are left out.
func bundle(root, file string) (spec, error) {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{file}, Bundle: true, Write: false, Format: api.FormatCommonJS, Platform: api.PlatformNode, Target: api.ES2022,
		LogLevel: api.LogLevelSilent, TsconfigRaw: "{}", Plugins: []api.Plugin{{Name: "page tests", Setup: func(b api.PluginBuild) { imports(root, b) }}},
		LogLimit: 1,
	})
	if len(r.Errors) > 0 {
		return spec{}, fmt.Errorf("%s: %s", file, r.Errors[0].Text)
	}
	return spec{strings.TrimSuffix(filepath.Base(file), ".spec.ts"), string(r.OutputFiles[0].Contents)}, nil
}

// imports resolves the modules.
func imports(root string, b api.PluginBuild) {
	const ours, core, none = "ours", "core", "none"
	b.OnResolve(api.OnResolveOptions{Filter: "."}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		switch {
		case a.Kind == api.ResolveEntryPoint:
			return api.OnResolveResult{}, nil
		case a.Path == "./pageTest", a.Path == "./pageTestApi", a.Path == "@playwright/test", a.Path == "playwright-core":
			return api.OnResolveResult{Path: "page", Namespace: ours}, nil
		case strings.HasSuffix(a.Path, "packages/playwright-core/lib/coreBundle"):
			return api.OnResolveResult{Path: "core", Namespace: core}, nil
		case strings.Contains(a.Importer, "packages/isomorphic"), a.Namespace == core:
			return api.OnResolveResult{}, nil
		case strings.HasPrefix(a.Path, ".") && !strings.Contains(a.Path, "packages/"):
			return api.OnResolveResult{}, nil
		case builtin[strings.TrimPrefix(a.Path, "node:")]:
			return api.OnResolveResult{Path: strings.TrimPrefix(a.Path, "node:"), External: true}, nil
		}
		return api.OnResolveResult{Path: a.Path, Namespace: none}, nil
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: ours}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
		return api.OnLoadResult{Contents: &pageModule, Loader: api.LoaderJS}, nil
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: core}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
		text := "export * as iso from './packages/isomorphic/index.ts'; export const utils = {}, server = {}, tools = {}"
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS, ResolveDir: root}, nil
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: none}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		text := "module.exports = {}"
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	})
}

var builtin = map[string]bool{"fs": true, "path": true, "os": true, "url": true, "util": true, "vm": true, "http": true, "https": true, "zlib": true,
	"crypto": true, "stream": true, "events": true, "child_process": true, "net": true, "assert": true, "buffer": true, "querystring": true}

// settings are a script's data about its environment.
type settings struct {
	Root    string `json:"root"`
	Folder  string `json:"folder"`
	Version string `json:"version"` // of the browser
	Ports   []int  `json:"ports"`
}

// script is an engine's code: a file's tests, and an expression on them.
func (s spec) script(o settings, ask string) string {
	text, _ := json.Marshal(o)
	dir, _ := json.Marshal(filepath.Join(o.Root, "tests/page"))
	file, _ := json.Marshal(filepath.Join(o.Root, "tests/page", s.name+".spec.ts"))
	return strings.Replace(givenScript, "SETTINGS", string(text), 1) +
		"\n(function (require, module, exports, __dirname, __filename, process) {\n" + s.code +
		"\n})(__given.require, { exports: {} }, {}, " + string(dir) + ", " + string(file) + ", { env: {}, platform: 'linux', versions: { node: '20.0.0' }, version: 'v20.0.0', cwd: () => __given.folder, on() {}, off() {} });\n" +
		"return " + ask + ";"
}

// specs are the test files whose name matches a pattern.
func specs(root, pattern string) (list []spec, err error) {
	files, err := filepath.Glob(filepath.Join(root, "tests/page/*.spec.ts"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no tests/page/*.spec.ts in %s (%v)", root, err)
	}
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if !wanted.MatchString(filepath.Base(f)) {
			continue
		}
		s, err := bundle(root, f)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		list = append(list, s)
	}
	return list, nil
}
