package pipetest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

const command = "pwpipe/cmd/pwpipe"

// Binary builds cmd/pwpipe and returns its path, the same for all packages of
// tests: where nothing has changed since it was built, it is there. Under the
// race detector the binary has it too.
func Binary(t testing.TB) string {
	t.Helper()
	exe, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

var build = sync.OnceValues(func() (string, error) {
	module, err := readSources()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	// A checkout beside this one has a program of its own.
	kind, args := "bin-", []string{"build"}
	if Race {
		kind, args = "race-", append(args, "-race")
	}
	sum := sha256.Sum256([]byte(module))
	dir := filepath.Join(cache, "pwpipe-test", kind+hex.EncodeToString(sum[:8]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(filepath.Join(dir, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	exe := filepath.Join(dir, "pwpipe")
	if runtime.GOOS == "windows" {
		exe += ".exe"
	}
	if out, err := exec.Command("go", append(args, "-o", exe, command)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building pwpipe: %w\n%s", err, out)
	}
	return exe, nil
})

// readSources touches what the program is built from, and returns the module's
// folder. go test answers from its cache as long as the test binary and the
// files that it looked at are the same: so the program's sources have to be
// among those. Of a folder the time tells of files that came and went.
func readSources() (module string, err error) {
	const files = `{{with .Module}}{{if .Main}}{{.Dir}}{{"\n"}}{{.GoMod}}{{"\n"}}` +
		`{{$.Dir}}{{"\n"}}{{range $.GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{range $.EmbedFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`
	list := exec.Command("go", "list", "-deps", "-f", files, command)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("listing the sources of pwpipe: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		info, err := os.Stat(name)
		if err != nil {
			return "", err
		}
		// Opened, a file that is younger than two seconds keeps the result out
		// of the cache: its time might not tell the next change.
		if info.Mode().IsRegular() {
			f, err := os.Open(name)
			if err != nil {
				return "", err
			}
			_ = f.Close()
		}
		if module == "" {
			module = name
		}
	}
	return module, nil
}
