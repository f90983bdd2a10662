package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestStateOfMCPIsClosed: the state that contexts of `pwpipe mcp` begin with is closed to its
// clients, whether a flag or the file of --config names it.
func TestStateOfMCPIsClosed(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestControlFilesAreClosed is quick")
	t.Parallel()
	for _, flags := range pipetest.Some([][]string{{"--config", "conf.json"}, {"--storage-state", "auth.json"}}, 2) {
		t.Run(flags[0], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			const state = `{"cookies":[],"origins":[{"origin":"https://x.example","localStorage":[{"name":"a","value":"kept-by-x"}]}]}`
			for name, text := range map[string]string{"auth.json": state, "conf.json": `{"browser":{"contextOptions":{"storageState":"auth.json"}}}`} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(pipetest.Binary(t), append([]string{"mcp", "--caps", "storage", "--allow-dir", dir}, flags...)...)
			cmd.Dir = dir
			use := pipetest.OverMCP(pipetest.StartCmd(t, cmd))
			for tool, args := range map[string]pipetest.Object{
				"browser_take_screenshot":   {"filename": "auth.json"},
				"browser_set_storage_state": {"filename": "auth.json"},
				"browser_run_code":          {"code": "async () => require('fs').readFileSync('auth.json', 'utf8')"},
			} {
				if got := use(tool, args); !strings.Contains(got, "keeps it closed") || strings.Contains(got, "kept-by-x") {
					t.Errorf("%s: %s", tool, got)
				}
			}
			if text, err := os.ReadFile(filepath.Join(dir, "auth.json")); err != nil || string(text) != state {
				t.Errorf("the state is %q, %v", text, err)
			}
		})
	}
}
