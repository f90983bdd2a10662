package hosts

import (
	"runtime"
	"strings"
	"testing"
)

// TestUsersFiles: each host's own variable says where its file is, else it is below the user's folders.
func TestUsersFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are others")
	}
	for name, want := range map[string][2]string{"claude-code": {"/home/x/.claude.json", "/own/.claude.json"},
		"claude-desktop": {"/home/x/.config/Claude/", "/own/Claude/"},
		"cursor":         {"/home/x/.cursor/", "/home/x/.cursor/"}, "codex": {"/home/x/.codex/", "/own/config.toml"},
		"vscode": {"/home/x/.config/Code/User/", "/own/Code/User/"},
		"zed":    {"/home/x/.config/zed/settings.json", "/own/zed/settings.json"}} {
		for i, own := range []string{"", "/own"} {
			t.Setenv("HOME", "/home/x")
			for _, variable := range []string{"XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"} {
				t.Setenv(variable, own)
			}
			if got, err := mcpHosts[name].user(); err != nil || !strings.HasPrefix(got, want[i]) {
				t.Errorf("%s: %s, %v, want %s", name, got, err, want[i])
			}
		}
	}
}
