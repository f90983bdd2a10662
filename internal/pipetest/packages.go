package pipetest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/machine/setup"
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

// PIP installs a Python package of an exact version ("playwright==1.52.0") as [NPM]
// does for Node, and returns the folder for PYTHONPATH. Options such as --no-deps are pip's.
// The test is skipped without a Python with pip.
func PIP(t testing.TB, pkg string, options ...string) string {
	t.Helper()
	if out, err := exec.Command("python3", "-m", "pip", "--version").CombinedOutput(); err != nil {
		t.Skipf("python3 -m pip: %v: %s", err, out)
	}
	what := append(options, pkg)
	return installed(t, strings.Join(what, "\n"), func(dir string) *exec.Cmd {
		return exec.Command("python3", append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check",
			"--target", filepath.Join(dir, "site")}, what...)...)
	}, "site")
}

// installed is a folder of the cache that a command has filled, once for all runs.
func installed(t testing.TB, name string, fill func(dir string) *exec.Cmd, folder string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "pwpipe-test", digest(name))
	there := filepath.Join(dir, folder)
	if _, err := os.Stat(there); err == nil {
		return there
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	// Several test packages may get here at once: each installs into a folder of its
	// own, and the first to finish gives it the name.
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "tmp-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	cmd := fill(tmp)
	cmd.Dir = tmp
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("installing %s: %v\n%s", name, err, out)
	}
	if err := os.Rename(tmp, dir); err != nil {
		if _, absent := os.Stat(there); absent != nil {
			t.Fatal(err)
		}
	}
	return there
}

// digest names a folder of the cache.
func digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:8])
}

// Releases of the servers with which pwpipe is compared.
const (
	PlaywrightMCP = "@playwright/mcp@0.0.83"
	DevToolsMCP   = "chrome-devtools-mcp@1.11.0"
	AgentBrowser  = "agent-browser@0.41.2"
)

// The paths of their programs in node_modules.
const (
	PlaywrightMCPFile = "@playwright/mcp/cli.js"
	DevToolsMCPFile   = "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"
)

// Installed is the installation that pwpipe uses. The test is skipped if a peer can't
// use its browser.
func Installed(t testing.TB) *setup.Installed {
	t.Helper()
	in, err := setup.Ensure(t.Context(), setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if in.Executable == "" {
		t.Skip("the browser here is known to the driver of pwpipe only")
	}
	return in
}

// Peer is the command of a server from npm, on pwpipe's browser. It may write files
// where it is started, so that is a folder of the test. Its telemetry is off.
func Peer(t testing.TB, pkg, file string, args ...string) *exec.Cmd {
	t.Helper()
	in := Installed(t)
	cmd := exec.Command(in.Node, append([]string{filepath.Join(NPM(t, pkg), filepath.FromSlash(file))}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(append(os.Environ(), in.Env...), "CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS=1")
	return cmd
}
