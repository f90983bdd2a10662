//go:build evidence

package bench

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// playwrightCore is what server.cjs runs on.
const playwrightCore = "playwright-core@1.60.0"

// call is a tool call, with its possible arguments.
type call struct{ tool, url, sel, text, path string }

// server is a running server.
type server interface {
	do(testing.TB, call)
	look(testing.TB)                     // learns the names of the page's controls
	burst(testing.TB, int) time.Duration // many texts written at once, 0 if not possible
	pid() int
	stop()
}

// start starts a server by its name.
func start(t testing.TB, name string) server {
	t.Helper()
	switch name {
	case "pwpipe":
		return lines{pipetest.Start(t)}
	case "other":
		return lines{pipetest.StartCmd(t, exec.Command(*other))}
	case "node":
		in := pipetest.Installed(t)
		cmd := exec.Command(in.Node, "server.cjs")
		cmd.Env = append(append(os.Environ(), in.Env...), "CHROME="+in.Executable, "NODE_PATH="+pipetest.NPM(t, playwrightCore))
		return lines{pipetest.StartCmd(t, cmd)}
	case "playwright-mcp":
		return startMCP(t, playwrightDialect, pipetest.Peer(t, pipetest.PlaywrightMCP, pipetest.PlaywrightMCPFile,
			"--headless", "--isolated", "--no-sandbox", "--executable-path", pipetest.Installed(t).Executable, "--output-dir", t.TempDir()))
	case "devtools-mcp":
		return startMCP(t, devtoolsDialect, pipetest.Peer(t, pipetest.DevToolsMCP, pipetest.DevToolsMCPFile,
			"--executablePath", pipetest.Installed(t).Executable, "--headless", "--isolated", "--chromeArg=--no-sandbox", "--chromeArg=--disable-gpu",
			"--chromeArg=--disable-background-networking"))
	case "agent-browser":
		return startAgentBrowser(t)
	}
	t.Fatalf("no server is called %q", name)
	return nil
}

// lines is a server that takes a request per line.
type lines struct{ *pipetest.Pipe }

func (s lines) do(t testing.TB, c call) {
	t.Helper()
	s.T = t
	s.Call(c.tool, c.members())
}

// members are the params of a call.
func (c call) members() map[string]any {
	switch c.tool {
	case "nav":
		return map[string]any{"url": c.url}
	case "fill":
		return map[string]any{"sel": c.sel, "val": c.text}
	case "eval":
		return map[string]any{"code": c.text}
	case "title":
		return map[string]any{}
	case "shot":
		return map[string]any{"path": c.path}
	}
	return map[string]any{"sel": c.sel}
}

func (s lines) look(testing.TB) {}

func (s lines) burst(t testing.TB, n int) time.Duration {
	t.Helper()
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, `{"id":%d,"method":"txt","params":{"sel":"#h"}}`+"\n", 100_000+i)
	}
	read := make(chan error, 1)
	begin := time.Now()
	go func() {
		var err error
		for range n {
			if _, err = s.TryLine(); err != nil {
				break
			}
		}
		read <- err
	}()
	if _, err := io.WriteString(s.Stdin, all.String()); err != nil {
		t.Fatal(err)
	}
	if err := <-read; err != nil {
		t.Fatal(err)
	}
	return time.Since(begin)
}

func (s lines) pid() int { return s.Cmd.Process.Pid }

func (s lines) stop() { _, _ = s.Close() }
