package thin

import "os"

// Caller is who gives a command. Where the command names no session, the caller decides:
// two agents, or two terminals, never share a browser by accident.
type Caller struct {
	Own    string `json:"own"`    // the name of a session that no other caller has
	Who    string `json:"who"`    // the caller, for people
	Leader int    `json:"leader"` // the process that lives as long as the caller's terminal; 0 for unknown
	Agent  bool   `json:"agent"`  // it has its own session, never the session default
}

// AgentIDs are the variables in which hosts tell their children which conversation they
// work for, with the names of the hosts.
var AgentIDs = [][2]string{
	{"claude", "CLAUDE_CODE_SESSION_ID"}, {"codex", "CODEX_THREAD_ID"}, {"cursor", "CURSOR_CONVERSATION_ID"},
	{"cursor", cursorTrace}, {"copilot", "COPILOT_AGENT_SESSION_ID"}, {"amp", "AMP_CURRENT_THREAD_ID"},
	{"gemini", "GEMINI_SESSION_ID"}, {"opencode", "OPENCODE_SESSION_ID"}, {"goose", "AGENT_SESSION_ID"},
	{"qwen", "QWEN_CODE_SESSION_ID"},
}

// AgentMarks are set by hosts for their children too, and don't tell two conversations
// apart. Some of these hosts give each command a terminal of its own. NAME=VALUE is a mark
// with this value alone.
var AgentMarks = [][2]string{
	{"cursor", cursorAgent}, {"cursor", cursorRole}, {"claude", "CLAUDE_CODE_CHILD_SESSION"},
	{"claude", claudeCode}, {"gemini", "GEMINI_CLI"}, {"codex", "CODEX_CI"}, {"codex", "CODEX_SANDBOX"},
	{"copilot", "COPILOT_CLI"}, {"copilot", "COPILOT_AGENT"}, {"opencode", "OPENCODE"}, {"qwen", "QWEN_CODE"},
	{"augment", "AUGMENT_AGENT"}, {"goose", "GOOSE_TERMINAL"}, {"cline", "CLINE_ACTIVE"},
	{"antigravity", "ANTIGRAVITY_AGENT"}, {"agent", "AI_AGENT"},
}

// Cursor sets the first in the terminals of people too, and the third has other values for its
// other processes. Extensions of editors set the last in the terminals of people.
const (
	cursorTrace = "CURSOR_TRACE_ID"
	cursorAgent = "CURSOR_AGENT"
	cursorRole  = "CURSOR_EXTENSION_HOST_ROLE=agent-exec"
	claudeCode  = "CLAUDECODE"
)

// marked reports whether a mark is set.
func marked(mark string) bool {
	for i := range len(mark) {
		if mark[i] == '=' {
			return os.Getenv(mark[:i]) == mark[i+1:]
		}
	}
	return os.Getenv(mark) != ""
}

// TerminalIDs are the variables in which terminals say which pane, tab or window they are.
// A terminal that was started from another has the other's too, so all of them count.
var TerminalIDs = []string{"TMUX", "TMUX_PANE", "STY", "WINDOW", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID",
	"TERM_SESSION_ID", "ITERM_SESSION_ID", "WT_SESSION", "WEZTERM_PANE", "KITTY_PID", "KITTY_WINDOW_ID",
	"GNOME_TERMINAL_SCREEN", "KONSOLE_DBUS_SESSION", "ALACRITTY_WINDOW_ID", "WINDOWID"}

// terminal is what controls this process: a name for people, the leader of its session,
// and a text that no other terminal of the machine has.
type terminal struct {
	name   string
	leader int
	id     string
}

// CallerIn is who runs this process in a folder.
func CallerIn(dir string) Caller {
	tty, controlled := controlling()
	kind, ids := "", []byte(nil)
	for _, v := range AgentIDs {
		value := os.Getenv(v[1])
		if value == "" || v[1] == cursorTrace && controlled && !marked(cursorAgent) && !marked(cursorRole) {
			continue
		}
		if kind == "" { // an agent may have started another: then both count
			kind = v[0]
		}
		ids = append(ids, v[1]+"="+value+"\n"...)
	}
	if kind != "" {
		return agent(kind, "", ids)
	}
	panes := []byte(nil)
	for _, name := range TerminalIDs {
		if value := os.Getenv(name); value != "" {
			panes = append(panes, name+"="+value+"\n"...)
		}
	}
	where, place := workingTree(dir), panes
	if len(panes) == 0 {
		place = []byte(where)
	}
	for _, v := range AgentMarks {
		if marked(v[1]) && (v[1] != claudeCode || !controlled) {
			return agent(v[0], " in "+or(where, "no working tree"), append([]byte(v[1]+"\n"), place...))
		}
	}
	switch {
	case controlled:
		return Caller{Own: "term-" + digest([]byte(tty.id)), Who: "terminal " + tty.name, Leader: tty.leader}
	case len(panes) > 0:
		return Caller{Own: "term-" + digest(panes), Who: "a terminal"}
	}
	return Caller{Own: "tree-" + digest([]byte(where)), Who: or(where, "no terminal, no working tree")}
}

func agent(kind, where string, id []byte) Caller {
	own := kind + "-" + digest(id)
	return Caller{Own: own, Who: "agent " + own + where, Agent: true}
}

// digest tells callers apart, in a name that can be typed.
func digest(text []byte) string { return sum256(text)[:10] }

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// workingTree is the nearest folder up that git calls a working tree, "" for none. The
// .git of a second one (git worktree) is a file.
func workingTree(dir string) string {
	for dir != "" {
		if _, err := os.Lstat(dir + string(os.PathSeparator) + ".git"); err == nil {
			return dir
		}
		i := len(dir) - 1
		for i >= 0 && !os.IsPathSeparator(dir[i]) {
			i--
		}
		if i <= 0 {
			break
		}
		dir = dir[:i]
	}
	return ""
}
