package pipetest

import (
	"crypto/sha256"
	"encoding/hex"
	"os/exec"
	"strings"
	"testing"
)

// NPM installs packages of exact versions ("react@18.3.1") with the machine's own npm,
// once for all runs, and returns their node_modules folder. It does not run scripts of
// the packages.
func NPM(t testing.TB, packages ...string) string {
	t.Helper()
	return installed(t, strings.Join(packages, "\n"), func(dir string) *exec.Cmd {
		return exec.Command("npm", append([]string{"install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}, packages...)...)
	}, "node_modules")
}

// digest names a folder of the cache.
func digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:8])
}
