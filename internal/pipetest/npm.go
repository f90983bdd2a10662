package pipetest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// NPM installs packages of exact versions ("react@18.3.1"), through the
// machine's own npm and once for all runs, and returns their node_modules
// folder. Scripts of the packages do not run.
func NPM(t testing.TB, packages ...string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(strings.Join(packages, "\n")))
	dir := filepath.Join(cache, "pwpipe-test", hex.EncodeToString(sum[:8]))
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	// Several packages of tests may get here at once: each installs into a
	// folder of its own, the first to be done gives it the name.
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "tmp-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	cmd := exec.Command("npm", append([]string{"install", "--prefix", tmp, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}, packages...)...)
	cmd.Dir = tmp
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm install %s: %v\n%s", strings.Join(packages, " "), err, out)
	}
	if err := os.Rename(tmp, dir); err != nil {
		if _, there := os.Stat(modules); there != nil {
			t.Fatal(err)
		}
	}
	return modules
}
