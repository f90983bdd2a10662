//go:build evidence

package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// toolList is what a server tells a model before it says anything.
type toolList struct {
	name                     string
	tools                    int
	sent, bare, instructions int // tokens
}

// toolLists asks servers for their tools. None of them starts a browser for
// that.
func toolLists(t *testing.T) []toolList {
	var lists []toolList
	for _, s := range []struct {
		name string
		cmd  func(*testing.T) *exec.Cmd
	}{
		{"pwpipe, profile `agent`", func(t *testing.T) *exec.Cmd { return exec.Command(pipetest.Binary(t), "--profile", "agent") }},
		{"pwpipe, profile `core` (the default)", func(t *testing.T) *exec.Cmd { return exec.Command(pipetest.Binary(t)) }},
		{pipetest.PlaywrightMCP, func(t *testing.T) *exec.Cmd {
			return pipetest.Peer(t, pipetest.PlaywrightMCP, pipetest.PlaywrightMCPFile)
		}},
		{pipetest.DevToolsMCP, func(t *testing.T) *exec.Cmd {
			return pipetest.Peer(t, pipetest.DevToolsMCP, pipetest.DevToolsMCPFile, "--no-usage-statistics")
		}},
		{agentBrowser + ", profile `core` (the default)", func(t *testing.T) *exec.Cmd {
			return pipetest.Peer(t, agentBrowser, "agent-browser/bin/agent-browser.js", "mcp")
		}},
	} {
		if !pipetest.Update() && !strings.HasPrefix(s.name, "pwpipe") {
			continue
		}
		t.Run("tools of "+strings.Fields(s.name)[0], func(t *testing.T) {
			srv := startServer(t, s.name, s.cmd(t))
			names, bare := bareTools(t, srv.tools)
			if names == 0 {
				t.Fatalf("no tools in %s", srv.tools)
			}
			lists = append(lists, toolList{s.name, names, count(t, srv.tools), count(t, bare), count(t, srv.instructions)})
		})
	}
	return lists
}

// bareTools is a tool list as most hosts hand it to a model: name, description
// and parameters.
func bareTools(t *testing.T, tools string) (n int, bare string) {
	t.Helper()
	var list []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if err := json.Unmarshal([]byte(tools), &list); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(list); err != nil {
		t.Fatal(err)
	}
	return len(list), b.String()
}

func listsText(lists []toolList) string {
	var b strings.Builder
	b.WriteString("| server | tools | `tools/list` as sent | name, description, parameters alone | instructions |\n|---|---:|---:|---:|---:|\n")
	for _, l := range lists {
		b.WriteString(l.text())
	}
	return b.String()
}

func (l toolList) text() string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d |\n", l.name, l.tools, l.sent, l.bare, l.instructions)
}
