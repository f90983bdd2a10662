//go:build evidence

package bench

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// agentBrowser is the daemon of agent-browser, a native program that speaks DevTools. Its
// command starts it; calls go over its socket, one line of JSON each, as its commands send
// them. So the start of a process a command is not in the times.
type agentBrowser struct {
	command func(args ...string) *exec.Cmd
	folder  string // of its socket
	conn    net.Conn
	replies *bufio.Reader
}

func startAgentBrowser(t testing.TB) *agentBrowser {
	t.Helper()
	in := pipetest.Installed(t)
	platform := runtime.GOOS + "-" + strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	program := filepath.Join(pipetest.NPM(t, pipetest.AgentBrowser), "agent-browser", "bin", "agent-browser-"+platform)
	if err := os.Chmod(program, 0o755); err != nil {
		t.Skip("agent-browser has no program for this platform: ", err)
	}
	home := t.TempDir()
	s := &agentBrowser{folder: filepath.Join(home, ".agent-browser")}
	s.command = func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Dir = home
		cmd.Env = append(append(os.Environ(), in.Env...), "HOME="+home,
			"AGENT_BROWSER_EXECUTABLE_PATH="+in.Executable, "AGENT_BROWSER_ARGS=--no-sandbox")
		return cmd
	}
	t.Cleanup(s.stop)
	return s
}

func (s *agentBrowser) do(t testing.TB, c call) {
	t.Helper()
	if s.conn == nil { // the first nav
		if out, err := s.command("open", c.url).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		conn, err := net.Dial("unix", filepath.Join(s.folder, "default.sock"))
		if err != nil {
			t.Fatal(err)
		}
		s.conn, s.replies = conn, bufio.NewReader(conn)
		return
	}
	request := map[string]any{"id": "1", "plugins": []any{}, "selector": c.sel}
	switch c.tool {
	case "nav":
		request["action"], request["url"] = "navigate", c.url
	case "fill":
		request["action"], request["value"] = "fill", c.text
	case "click", "title":
		request["action"] = c.tool
	case "txt":
		request["action"] = "gettext"
	case "vis":
		request["action"] = "isvisible"
	case "eval":
		request["action"], request["script"] = "evaluate", c.text
	case "shot":
		request["action"], request["path"], request["selector"] = "screenshot", c.path, nil
	}
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = s.conn.SetDeadline(time.Now().Add(pipetest.Patience))
	if _, err = s.conn.Write(append(text, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err := s.replies.ReadBytes('\n')
	var reply struct{ Success bool }
	if err != nil || json.Unmarshal(line, &reply) != nil || !reply.Success {
		t.Fatalf("%s: %v, %s", text, err, line)
	}
}

func (s *agentBrowser) look(testing.TB) {}

func (s *agentBrowser) burst(testing.TB, int) time.Duration { return 0 }

func (s *agentBrowser) pid() int {
	text, _ := os.ReadFile(filepath.Join(s.folder, "default.pid"))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

func (s *agentBrowser) stop() {
	if s.conn != nil {
		_ = s.conn.Close()
		s.conn = nil
		_ = s.command("close").Run()
	}
}
