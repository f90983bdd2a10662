//go:build evidence

package driver

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/pipetest"
)

func TestCacheOfAnotherInstallation(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBrokenCache is quick")
	o := options(t)
	round(t, o)
	before := read(t, theCache(t, o.Cache))
	pkg := copyPackage(t, &o)
	round(t, o)
	after := read(t, theCache(t, o.Cache))
	if !bytes.Contains(after, []byte(pkg)) || bytes.Contains(before, []byte(pkg)) {
		t.Error("the cache of another installation was kept")
	}
}

// Third-party code is as large as Playwright. It is loaded only when it is used.
func TestUtilsLoadWhenUsed(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestCacheIsUsed is quick")
	o := options(t)
	d := start(t, o)
	use(t, d)
	stop(t, d)
	if files := cached(t, o); !slices.Equal(files, []string{"lib/coreBundle.js"}) {
		t.Fatalf("the cache has %v", files)
	}
	d = start(t, o)
	r, err := d.Playwright.Request.NewContext()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get("http://127.0.0.1:1/", playwright.APIRequestContextGetOptions{Multipart: map[string]any{"a": playwright.InputFile{Name: "a.txt", Buffer: []byte("a")}}}); err == nil {
		t.Error("a port that nobody listens on answered")
	}
	use(t, d)
	stop(t, d)
	if files := cached(t, o); !slices.Equal(files, []string{"lib/coreBundle.js", "lib/utilsBundle.js"}) {
		t.Errorf("after a request the cache has %v", files)
	}
	round(t, o)
}

// cached are the files in the cache.
func cached(t *testing.T, o Options) (files []string) {
	t.Helper()
	text := read(t, theCache(t, o.Cache))
	var header struct {
		Modules []struct{ File string }
	}
	if err := json.Unmarshal(text[24:headerEnd(t, text)], &header); err != nil {
		t.Fatal(err)
	}
	for _, m := range header.Modules {
		files = append(files, m.File)
	}
	return files
}

func TestNoCache(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBrokenCache is quick")
	o := options(t)
	dir := o.Cache
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	readOnly := filepath.Join(dir, "read-only")
	if err := os.Mkdir(readOnly, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, o.Cache = range []string{filepath.Join(dir, "missing"), file, readOnly} {
		round(t, o)
	}
	if exists(filepath.Join(dir, "missing")) {
		t.Error("the folder was made")
	}
}

// If start.cjs does not know the driver's shape, its own cli.js takes over.
func TestOtherDriver(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestCacheIsUsed is quick")
	in := installed(t)
	const cli = "console.log('cli', process.argv.length, ...process.argv.slice(2))"
	for name, core := range map[string]string{
		"none": "", "throws": "throw new Error('other')", "other": "exports.server = 1", "syntax": "}",
	} {
		pkg, cache := t.TempDir(), t.TempDir()
		lib := filepath.Join(pkg, "lib")
		if err := os.MkdirAll(lib, 0o755); err != nil {
			t.Fatal(err)
		}
		files := map[string]string{filepath.Join(pkg, "cli.js"): cli, filepath.Join(pkg, "package.json"): "{}"}
		if core != "" {
			files[filepath.Join(lib, "coreBundle.js")] = core
		}
		for file, text := range files {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, arg := range []string{"run-driver", "install"} {
			cmd := exec.Command(in.Node, writeStart(t.TempDir()), cache, filepath.Join(pkg, "cli.js"), arg)
			var said strings.Builder
			cmd.Stderr = &said
			out, err := cmd.Output()
			if slow := strings.Contains(said.String(), "pwpipe: the driver starts the slow way: "); slow != (arg == "run-driver") {
				t.Errorf("%s %s: stderr %q", name, arg, said.String())
			}
			if got := strings.TrimSpace(string(out)); got != "cli 3 "+arg || err != nil {
				t.Errorf("%s %s: %s, %v", name, arg, got, err)
			}
		}
		if left, _ := os.ReadDir(cache); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}
