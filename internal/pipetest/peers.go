package pipetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pwpipe/internal/machine/setup"
)

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
