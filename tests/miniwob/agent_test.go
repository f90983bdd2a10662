//go:build evidence

package miniwob

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/tokens"
)

// agent is everything that a policy can use: it looks at outlines and calls tools. Its actions
// on the page are collected until the next look, and sent as one script.
type agent struct {
	t       *testing.T
	session *mcp.ClientSession
	out     string   // the newest outline
	acts    []string // lines of the next script
	faults  []string // why the policy needed more than the outline
	calls   int
	tokens  int     // of calls and replies
	written int     // of them in calls
	needed  *[]need // what the policy looks for, if that is recorded
}

// connect starts pwpipe as an MCP server.
func connect(t *testing.T, cmd *exec.Cmd) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	defer cancel()
	s, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// call calls a tool and counts its cost for a model.
func (a *agent) call(tool string, args pipetest.Object) string {
	a.t.Helper()
	reply, failed := a.try(tool, args)
	if failed {
		a.t.Fatalf("%s %v: %s\nof\n%s", tool, args, reply, a.out)
	}
	return reply
}

func (a *agent) try(tool string, args pipetest.Object) (reply string, failed bool) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), pipetest.Patience)
	defer cancel()
	raw, err := json.Marshal(args)
	if err != nil {
		a.t.Fatal(err)
	}
	r, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(raw)})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	var parts []string
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	reply = strings.Join(parts, "\n")
	a.calls++
	written := count(a.t, tool+" "+string(raw))
	a.written += written
	a.tokens += written + count(a.t, reply)
	a.t.Logf("%s %s\n%s", tool, raw, reply)
	return reply, r.IsError
}

func count(t *testing.T, text string) int {
	t.Helper()
	n, err := tokens.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// act adds a line to the next script.
func (a *agent) act(format string, args ...any) {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			quoted, _ := json.Marshal(s)
			args[i] = string(quoted)
		}
	}
	a.acts = append(a.acts, fmt.Sprintf(format, args...))
}

// look sends the pending actions, and reads the new outline.
func (a *agent) look() {
	a.t.Helper()
	if a.needed != nil {
		panic(enough{})
	}
	if len(a.acts) == 0 {
		a.out = a.call("snapshot", pipetest.Object{})
	} else {
		a.out = a.call("execute", pipetest.Object{"code": a.script(), "outline": "whole"})
	}
	a.out = strings.ReplaceAll(a.out, `\"`, `"`)
}

// flush sends the pending actions if nobody needs the outline.
func (a *agent) flush() {
	a.t.Helper()
	if len(a.acts) > 0 {
		a.call("execute", pipetest.Object{"code": a.script()})
	}
}

func (a *agent) script() string {
	code := strings.Join(a.acts, "\n")
	a.acts = nil
	return code
}

func (a *agent) click(ref string)      { a.act("await page.click(%s)", "aria-ref="+ref) }
func (a *agent) fill(ref, text string) { a.act("await page.fill(%s, %s)", "aria-ref="+ref, text) }
func (a *agent) hover(ref string) {
	a.act("await page.hover(%s); await page.waitForTimeout(400)", "aria-ref="+ref)
}
func (a *agent) press(key string) { a.act("await page.keyboard.press(%s)", key) }

// re compiles the patterns of policies: each is used once or twice.
func re(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// find returns the groups of a pattern's match in the outline.
func (a *agent) find(pattern string) []string {
	a.t.Helper()
	m := a.read(a.out, pattern)
	if m == nil {
		a.t.Fatalf("the outline has no %s:\n%s", pattern, a.out)
	}
	return m[1:]
}

// read returns the groups of a pattern's match in a part of the outline, after the match itself.
func (a *agent) read(part, pattern string) (groups []string) {
	m := re(pattern).FindStringSubmatchIndex(part)
	if m == nil {
		return nil
	}
	a.noteGroups(part, m)
	for i := 0; i < len(m); i += 2 {
		groups = append(groups, part[max(m[i], 0):max(m[i+1], 0)])
	}
	return groups
}

// lines are the lines of the outline that match.
func (a *agent) lines(pattern string) (found []string) {
	for line := range strings.Lines(a.out) {
		if line = strings.TrimRight(line, "\n"); re(pattern).MatchString(line) {
			found = append(found, line)
		}
	}
	return found
}

// ref is the ref of the first line that matches.
func (a *agent) ref(pattern string) string {
	a.t.Helper()
	return a.nth(pattern, 1)
}

// elsewhere records that the outline lacks what a person sees, so that the policy must name an
// element by a selector that it can't know from the outline.
func (a *agent) elsewhere(why string) {
	if !slices.Contains(a.faults, why) {
		a.faults = append(a.faults, why)
	}
}

// decode reads JSON.
func (a *agent) decode(text string, to any) {
	a.t.Helper()
	if err := json.Unmarshal([]byte(text), to); err != nil {
		a.t.Fatalf("%v: %s", err, text)
	}
}

// value is a field's value up to the last space.
func (a *agent) value(ref string) string {
	return a.call("value", pipetest.Object{"sel": ref})
}

// box is an element's middle and size.
func (a *agent) box(sel string) (x, y, width, height float64) {
	a.t.Helper()
	var b struct{ X, Y, Width, Height float64 }
	if err := json.Unmarshal([]byte(a.call("box", pipetest.Object{"sel": sel})), &b); err != nil {
		a.t.Fatal(err)
	}
	return b.X + b.Width/2, b.Y + b.Height/2, b.Width, b.Height
}
