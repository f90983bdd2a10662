//go:build evidence

package bench

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// dialect is how an MCP server's tools express the same work.
type dialect struct {
	snapshot string
	control  *regexp.Regexp // of a snapshot's line: name and role, in any order
	call     func(c call, names map[string]string) (tool string, args map[string]any)
	pages    string // tool that lists pages, if calls name one by its number
}

// read reads a text in the way that both servers have: with a function.
func read(c call) string {
	element := "document.querySelector('" + c.sel + "')"
	switch c.tool {
	case "txt":
		return "() => " + element + ".textContent"
	case "vis":
		return "() => " + element + ".checkVisibility()"
	case "title":
		return "() => document.title"
	}
	return "() => (" + c.text + ")"
}

var playwrightDialect = dialect{"browser_snapshot", regexp.MustCompile(`(?P<role>textbox|button)\b.*\[ref=(?P<name>\w+)\]`),
	func(c call, names map[string]string) (string, map[string]any) {
		switch c.tool {
		case "nav":
			return "browser_navigate", map[string]any{"url": c.url}
		case "fill":
			return "browser_type", map[string]any{"element": "x", "target": names["textbox"], "text": c.text}
		case "click":
			return "browser_click", map[string]any{"element": "x", "target": names["button"]}
		case "shot":
			return "browser_take_screenshot", map[string]any{}
		}
		return "browser_evaluate", map[string]any{"function": read(c)}
	}, ""}

var devtoolsDialect = dialect{"take_snapshot", regexp.MustCompile(`uid=(?P<name>\w+) (?P<role>textbox|button)\b`),
	func(c call, names map[string]string) (string, map[string]any) {
		switch c.tool {
		case "nav":
			return "navigate_page", map[string]any{"type": "url", "url": c.url}
		case "fill":
			return "fill", map[string]any{"uid": names["textbox"], "value": c.text}
		case "click":
			return "click", map[string]any{"uid": names["button"]}
		case "shot":
			return "take_screenshot", map[string]any{"filePath": c.path}
		}
		return "evaluate_script", map[string]any{"function": read(c)}
	}, "list_pages"}

// mcpServer is a server over MCP.
type mcpServer struct {
	dialect
	cmd     *exec.Cmd
	session *mcp.ClientSession
	names   map[string]string // of the first control of each role
	page    int               // 0 if calls name none
}

var firstNumber = regexp.MustCompile(`(?m)^(\d+):`)

func startMCP(t testing.TB, d dialect, cmd *exec.Cmd) *mcpServer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	defer cancel()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	s := &mcpServer{dialect: d, cmd: cmd, session: session, names: map[string]string{}}
	if d.pages != "" {
		if m := firstNumber.FindStringSubmatch(s.tool(t, d.pages, map[string]any{})); m != nil {
			s.page, _ = strconv.Atoi(m[1])
		}
	}
	return s
}

func (s *mcpServer) do(t testing.TB, c call) {
	t.Helper()
	tool, args := s.call(c, s.names)
	s.tool(t, tool, args)
}

func (s *mcpServer) tool(t testing.TB, tool string, args map[string]any) string {
	t.Helper()
	text, err := s.try(t, tool, args)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (s *mcpServer) try(t testing.TB, tool string, args map[string]any) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	defer cancel()
	if s.page != 0 {
		args["pageId"] = s.page
	}
	r, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "", fmt.Errorf("%s: %w", tool, err)
	}
	var all strings.Builder
	for _, part := range r.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			all.WriteString(text.Text)
		}
	}
	if r.IsError {
		return "", fmt.Errorf("%s: %s", tool, all.String())
	}
	return all.String(), nil
}

// look learns the names of the first text box and button.
func (s *mcpServer) look(t testing.TB) {
	t.Helper()
	clear(s.names)
	s.learn(s.tool(t, s.snapshot, map[string]any{}), s.names)
}

// learn reads the names of the first controls of each role from a snapshot.
func (s *mcpServer) learn(snapshot string, names map[string]string) {
	clear(names)
	for line := range strings.Lines(snapshot) {
		if m := s.control.FindStringSubmatch(line); m != nil {
			role, name := m[s.control.SubexpIndex("role")], m[s.control.SubexpIndex("name")]
			if names[role] == "" {
				names[role] = name
			}
		}
	}
}

func (s *mcpServer) burst(testing.TB, int) time.Duration { return 0 }

func (s *mcpServer) pid() int { return s.cmd.Process.Pid }

func (s *mcpServer) stop() { _ = s.session.Close() }
