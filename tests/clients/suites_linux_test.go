//go:build evidence

package clients

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// suite is a module whose own tests are run.
type suite struct {
	name, module, version string
	leave                 []string    // test files about other things than a running browser
	edits                 [][3]string // file, code that starts the browser, code that uses ours
	env                   []string
}

var suites = []suite{{
	name: "chromedp", module: "github.com/chromedp/chromedp", version: "v0.15.1",
	leave: []string{"allocate_test.go"},
	edits: [][3]string{{
		"chromedp_test.go", "allocCtx, cancel = NewExecAllocator(context.Background(), allocOpts...)",
		`allocCtx, cancel = NewRemoteAllocator(context.Background(), os.Getenv("PWPIPE_TEST_ADDRESS"))`,
	}},
}, {
	name: "rod", module: "github.com/go-rod/rod", version: "v0.116.2",
	env: []string{"GODEBUG=tracebackancestors=1000"}, // it looks for leaked goroutines
	edits: [][3]string{
		{"setup_test.go", "launcher.NewBrowser().MustGet() // preload browser to local", ""},
		{"setup_test.go", `launcher.New().Set("proxy-bypass-list", "<-loopback>").NoSandbox(true).MustLaunch()`,
			`os.Getenv("PWPIPE_TEST_ADDRESS")`},
		{"setup_test.go", "\t\"github.com/go-rod/rod/lib/launcher\"\n", ""},
	},
}}

// limit is the time after which a test counts as hanging.
const limit = 40 * time.Second

// build fetches the suite, makes it use a running browser, and compiles it.
func (s suite) build(t *testing.T, folder string) (program string, names []string) {
	t.Helper()
	fetch := exec.Command("go", "mod", "download", "-json", s.module+"@"+s.version)
	fetch.Dir = t.TempDir()
	out, err := fetch.Output()
	var module struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &module)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(folder, os.DirFS(module.Dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range s.leave {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range s.edits {
		edit(t, filepath.Join(folder, e[0]), e[1], e[2])
	}
	program = filepath.Join(folder, "suite.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", program, ".")
	build.Dir = folder
	build.Env = append(build.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	list := exec.Command(program, "-test.list", "^Test")
	list.Dir = folder
	if out, err = list.Output(); err != nil {
		t.Fatal(err)
	}
	only := regexp.MustCompile(os.Getenv("PWPIPE_TEST_FILES"))
	names = slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool {
		return !strings.HasPrefix(name, "Test") || !only.MatchString(name)
	})
	return program, names
}

// edit replaces a text in a file, once.
func edit(t *testing.T, file, old, now string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%s does not hold %q once", file, old)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, now, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// runOne runs one test on the browser at a URL.
func (s suite) runOne(program, name, address string) (status, said string) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-test.v", "-test.run", "^"+name+"$", "-test.timeout", limit.String())
	cmd.Dir = filepath.Dir(program)
	cmd.Env = append(append(os.Environ(), s.env...), "PWPIPE_TEST_ADDRESS="+address)
	cmd.WaitDelay = 5 * time.Second
	raw, err := cmd.CombinedOutput()
	said = string(raw)
	switch {
	case strings.Contains(said, "panic: test timed out"), ctx.Err() != nil:
		return "hangs", said
	case err != nil:
		return "failed", said
	case strings.Contains(said, "--- SKIP: "+name+" "):
		return "skipped", said
	}
	return "passed", said
}
