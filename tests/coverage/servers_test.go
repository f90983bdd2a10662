//go:build evidence

package coverage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// server is an MCP server, and how its tools do what the steps say.
type server struct {
	name    string
	session *mcp.ClientSession
	page    any // what calls name the page by, nil if they don't
	shows   string
	ref     *regexp.Regexp
	call    func(step, []string) (tool string, args map[string]any)
	opens   string // tool that goes to a URL
	title   func() (tool string, args map[string]any)
	answers func(*server) error // accepts the dialog that is open
	out     string              // the newest snapshot, without quotes
}

// names are the servers, as the columns of the table.
var names = []string{"pwpipe", "Playwright MCP", "DevTools MCP"}

// start starts a server.
func start(t *testing.T, name string) *server {
	t.Helper()
	s := &server{name: name}
	var cmd *exec.Cmd
	switch name {
	case "pwpipe":
		cmd = exec.Command(pipetest.Binary(t), "--profile", "agent")
		s.shows, s.ref, s.opens, s.call = "snapshot", regexp.MustCompile(`\[ref=(\w+)\]`), "nav", pwpipeCall
		s.title = func() (string, map[string]any) { return "title", map[string]any{} }
	case "Playwright MCP":
		cmd = pipetest.Peer(t, pipetest.PlaywrightMCP, pipetest.PlaywrightMCPFile,
			"--headless", "--isolated", "--no-sandbox", "--executable-path", pipetest.Installed(t).Executable)
		s.shows, s.ref, s.opens, s.call = "browser_snapshot", regexp.MustCompile(`\[ref=(\w+)\]`), "browser_navigate", playwrightCall
		s.title = func() (string, map[string]any) {
			return "browser_evaluate", map[string]any{"function": "() => document.title"}
		}
		s.answers = func(s *server) error {
			_, err := s.do(t, "browser_handle_dialog", map[string]any{"accept": true})
			return err
		}
	case "DevTools MCP":
		cmd = pipetest.Peer(t, pipetest.DevToolsMCP, pipetest.DevToolsMCPFile, "--executablePath", pipetest.Installed(t).Executable,
			"--headless", "--isolated", "--chromeArg=--no-sandbox", "--chromeArg=--disable-gpu", "--no-usage-statistics")
		s.shows, s.ref, s.opens, s.call = "take_snapshot", regexp.MustCompile(`uid=(\w+)`), "navigate_page", devtoolsCall
		s.title = func() (string, map[string]any) {
			return "evaluate_script", map[string]any{"function": "() => document.title"}
		}
		s.answers = func(s *server) error {
			_, err := s.do(t, "handle_dialog", map[string]any{"action": "accept"})
			return err
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	defer cancel()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Cleanup(func() { _ = session.Close() })
	s.session = session
	if name == "DevTools MCP" {
		pages, err := s.do(t, "list_pages", map[string]any{})
		if m := regexp.MustCompile(`(?m)^(\d+):`).FindStringSubmatch(pages); m != nil {
			s.page = json.Number(m[1])
		} else {
			t.Fatalf("no pages: %s, %v", pages, err)
		}
	}
	return s
}

// do calls a tool. An error is the tool's own.
func (s *server) do(t *testing.T, tool string, args map[string]any) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	defer cancel()
	if s.page != nil {
		args["pageId"] = s.page
	}
	r, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for _, part := range r.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			all.WriteString(text.Text)
		}
	}
	if r.IsError {
		return "", errors.New(all.String())
	}
	return all.String(), nil
}

// look reads the snapshot.
func (s *server) look(t *testing.T) {
	t.Helper()
	out, err := s.do(t, s.shows, map[string]any{})
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	if i := strings.Index(out, "### Snapshot"); i >= 0 {
		out = out[i:] // what stands before repeats the page's title
	}
	s.out = strings.NewReplacer(`"`, "", `\`, "").Replace(out)
}

// refs are the refs that an agent would try for some words: of the first line that has them, else of the lines
// that it stands in, from the inside.
func (s *server) refs(words string) (refs []string) {
	lines := strings.Split(s.out, "\n")
	words, number, _ := strings.Cut(words, " #")
	left, _ := strconv.Atoi(number)
	at := slices.IndexFunc(lines, func(l string) bool {
		left -= strings.Count(l, words)
		return strings.Contains(l, words) && left <= 0
	})
	if at < 0 {
		return nil
	}
	depth := 1 << 20
	for i := at; i >= 0; i-- {
		d := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
		if d >= depth {
			continue
		}
		depth = d
		if m := s.ref.FindStringSubmatch(lines[i]); m != nil && len(refs) < 3 {
			refs = append(refs, m[1])
		}
	}
	return refs
}

// act does a step, with each ref that may be meant until one works.
func (s *server) act(t *testing.T, st step) error {
	t.Helper()
	if st.verb == "press" {
		tool, args := s.call(st, nil)
		_, err := s.do(t, tool, args)
		return err
	}
	sources, targets := s.refs(st.words), []string{""}
	if st.verb == "drag" {
		targets = s.refs(st.value)
	}
	if st.verb == "hover" && len(sources) == 0 && strings.Contains(s.out, st.words) && s.name != "DevTools MCP" {
		sources = []string{"text=" + st.words} // a text without a ref; their refs may be selectors
	}
	err := fmt.Errorf("no ref for %q", st.words)
	for _, source := range sources {
		for _, target := range targets {
			tool, args := s.call(st, []string{source, target})
			if tool == "" {
				return fmt.Errorf("no tool for %s", st.verb)
			}
			if _, err = s.do(t, tool, args); err == nil && st.verb == "confirm" && s.answers != nil {
				err = s.answers(s)
			}
			if err == nil {
				return nil
			}
		}
	}
	return err
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// pwpipeCall clicks with the tool click, and acts by scripts else.
func pwpipeCall(st step, refs []string) (string, map[string]any) {
	code := ""
	switch st.verb {
	case "press":
		code = "await page.keyboard.press(" + quoted(st.words) + ")"
	case "click":
		return "click", map[string]any{"sel": refs[0]}
	case "hover":
		code = "await $('" + refs[0] + "')." + st.verb + "()"
	case "rightclick":
		code = "await $('" + refs[0] + "').click({button: 'right'})"
	case "drag":
		code = "await $('" + refs[0] + "').dragTo($('" + refs[1] + "'))"
	case "fill":
		code = "await $('" + refs[0] + "').fill(" + quoted(st.value) + ")"
	case "choose":
		code = "await $('" + refs[0] + "').selectOption(" + quoted(st.value) + ")"
	case "confirm":
		code = "page.once('dialog', (d) => d.accept()); await $('" + refs[0] + "').click()"
	}
	return "execute", map[string]any{"code": code}
}

func playwrightCall(st step, refs []string) (string, map[string]any) {
	switch st.verb {
	case "press":
		return "browser_press_key", map[string]any{"key": st.words}
	case "hover":
		return "browser_hover", map[string]any{"target": refs[0]}
	case "rightclick":
		return "browser_click", map[string]any{"target": refs[0], "button": "right"}
	case "drag":
		return "browser_drag", map[string]any{"startTarget": refs[0], "endTarget": refs[1]}
	case "fill":
		return "browser_type", map[string]any{"target": refs[0], "text": st.value}
	case "choose":
		return "browser_select_option", map[string]any{"target": refs[0], "values": []string{st.value}}
	}
	return "browser_click", map[string]any{"target": refs[0]}
}

func devtoolsCall(st step, refs []string) (string, map[string]any) {
	switch st.verb {
	case "press":
		return "press_key", map[string]any{"key": st.words}
	case "hover":
		return "hover", map[string]any{"uid": refs[0]}
	case "rightclick":
		return "", nil
	case "drag":
		return "drag", map[string]any{"from_uid": refs[0], "to_uid": refs[1]}
	case "fill", "choose":
		return "fill", map[string]any{"uid": refs[0], "value": st.value}
	}
	return "click", map[string]any{"uid": refs[0]}
}
