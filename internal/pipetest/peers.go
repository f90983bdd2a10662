package pipetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pwpipe/internal/machine/setup"
)

// Releases of the servers that pwpipe is compared with.
const (
	PlaywrightMCP = "@playwright/mcp@0.0.83"
	DevToolsMCP   = "chrome-devtools-mcp@1.11.0"
)

// Where their programs lie in node_modules.
const (
	PlaywrightMCPFile = "@playwright/mcp/cli.js"
	DevToolsMCPFile   = "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"
)

// Installed is what pwpipe runs on. The test is skipped where that is no browser
// that a peer can be pointed at.
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

// Peer is the command of a server of npm, on the browser that pwpipe uses. It may
// leave files where it is started, so that is a folder of the test; it is told
// not to call home.
func Peer(t testing.TB, pkg, file string, args ...string) *exec.Cmd {
	t.Helper()
	in := Installed(t)
	cmd := exec.Command(in.Node, append([]string{filepath.Join(NPM(t, pkg), filepath.FromSlash(file))}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(append(os.Environ(), in.Env...), "CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS=1")
	return cmd
}
