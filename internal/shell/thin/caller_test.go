package thin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCaller: what tells callers apart, and what does not.
func TestCaller(t *testing.T) {
	for _, list := range [][][2]string{AgentIDs, AgentMarks} {
		for _, v := range list {
			name, _, _ := strings.Cut(v[1], "=")
			t.Setenv(name, "")
		}
	}
	for _, name := range TerminalIDs {
		t.Setenv(name, "")
	}
	tree := t.TempDir()
	deep := filepath.Join(tree, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tree, ".git"), nil, 0o644); err != nil { // as of git worktree
		t.Fatal(err)
	}
	_, controlled := controlling()
	plain := CallerIn(deep)
	switch {
	case plain.Agent || plain != CallerIn(tree):
		t.Errorf("a folder is another caller than its working tree: %+v, %+v", plain, CallerIn(tree))
	case !controlled && plain == CallerIn(t.TempDir()):
		t.Error("a working tree is no caller")
	}
	seen := map[string]string{plain.Own: "none"}
	for _, set := range []string{"CLAUDE_CODE_SESSION_ID=a", "CLAUDE_CODE_SESSION_ID=b", "CODEX_THREAD_ID=b", "CURSOR_CONVERSATION_ID=a",
		"COPILOT_AGENT_SESSION_ID=a", "AMP_CURRENT_THREAD_ID=a", "GEMINI_CLI=1", "CURSOR_AGENT=1", "GEMINI_SESSION_ID=a",
		"CLAUDE_CODE_SESSION_ID=a CODEX_THREAD_ID=a", "GEMINI_CLI=1 TMUX_PANE=%1", "GEMINI_CLI=1 TMUX_PANE=%2",
		"CURSOR_AGENT=1 CURSOR_TRACE_ID=a", "CURSOR_AGENT=1 CURSOR_TRACE_ID=b", "QWEN_CODE_SESSION_ID=a",
		"CLAUDE_CODE_CHILD_SESSION=1", "CURSOR_EXTENSION_HOST_ROLE=agent-exec",
		"CURSOR_EXTENSION_HOST_ROLE=agent-exec CURSOR_TRACE_ID=c"} {
		for v := range strings.FieldsSeq(set) {
			name, value, _ := strings.Cut(v, "=")
			t.Setenv(name, value)
		}
		c := CallerIn(deep)
		if !c.Agent || c != CallerIn(tree) {
			t.Errorf("%s: %+v, and in its working tree %+v", set, c, CallerIn(tree))
		}
		if other := seen[c.Own]; other != "" {
			t.Errorf("%s and %s are one: %s", set, other, c.Own)
		}
		seen[c.Own] = set
		for v := range strings.FieldsSeq(set) {
			name, _, _ := strings.Cut(v, "=")
			t.Setenv(name, "")
		}
	}
	t.Setenv("CURSOR_EXTENSION_HOST_ROLE", "user")
	if c := CallerIn(deep); c.Agent {
		t.Errorf("another process of Cursor is an agent: %+v", c)
	}
	t.Setenv("CURSOR_EXTENSION_HOST_ROLE", "")
	t.Setenv("CLAUDECODE", "1") // of an editor's extension where there is a terminal
	if c := CallerIn(deep); c.Agent == controlled {
		t.Errorf("CLAUDECODE alone, with a terminal %v: %+v", controlled, c)
	}
	text, err := os.ReadFile("../../../docs/shell.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range AgentIDs {
		if !strings.Contains(string(text), "`"+v[1]+"`") {
			t.Errorf("docs/shell.md lacks %s", v[1])
		}
	}
}
