package features_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// run runs pwpipe in a folder of its own, with variables before the words.
func run(t *testing.T, dir, stdin string, words ...string) (text string, status int) {
	t.Helper()
	cmd := exec.Command(pipetest.Binary(t))
	cmd.Dir, cmd.Env, cmd.Stdin = dir, os.Environ(), strings.NewReader(stdin)
	for len(words) > 0 && strings.HasPrefix(words[0], "PWPIPE_") {
		cmd.Env, words = append(cmd.Env, words[0]), words[1:]
	}
	cmd.Args = append(cmd.Args, words...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// TestWithout: what a run leaves out is unknown to it: tools, flags and commands, and what needs
// them too, whoever names it.
func TestWithout(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	project := t.TempDir()
	if err := os.WriteFile(filepath.Join(project, "pwpipe.json"), []byte(`{"without": ["har", "grid"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir, stdin, words, want string
		status                  int
	}{
		{dir, `{"id":1,"method":"har-record"}`, "--without har", `{"id":1,"error":"unknown method: har-record"}`, 0},
		{dir, `{"id":1,"method":"har-record"}`, "PWPIPE_WITHOUT=har", `{"id":1,"error":"unknown method: har-record"}`, 0},
		{project, `{"id":1,"method":"har-record"}`, "", `{"id":1,"error":"unknown method: har-record"}`, 0},
		{project, `{"id":1,"method":"clip"}`, "--without=clipboard", `{"id":1,"error":"unknown method: clip"}`, 0},
		{dir, `{"jsonrpc":"2.0","id":1,"method":"execute"}`, "mcp --without playwrightmcp,scripts", "unknown command \"mcp\"", 2},
		{dir, `{"id":1,"method":"execute"}`, "--without endpoint", `{"id":1,"error":"unknown method: execute"}`, 0},
		{dir, "", "record --without record", `unknown command "record"; left out of this run: record, watch`, 2},
		{dir, "", "serve --without service", `unknown command "serve"`, 2},
		{dir, "", "--without record watch", "unknown command", 2},
		{dir, "", "--without recrd", `there is no feature "recrd" to leave out; ` + "`pwpipe features` lists them; did you mean record?", 2},
		{dir, "", "--without", "--without: expected names with commas between", 2},
		{dir, `{"id":1,"method":"browser_start_video"}`, "--without film", "unknown method: browser_start_video", 0},
		{dir, `{"id":1,"method":"browser_highlight"}`, "--without watch", "unknown method: browser_highlight", 0},
		{dir, `{"id":1,"method":"open-ctx","params":{"har":"a.har"}}`, "--without har", "har: this pwpipe runs without the feature har", 0},
		{dir, "", "--without grid --grid http://x", "unknown flag: --grid; left out of this run: grid", 2},
		{dir, "", "serve --without watch --watch", "unknown flag: --watch; left out of this run: watch", 2},
		{dir, "", "--without certificates --client-certificates x", "unknown flag: --client-certificates", 2},
		{dir, "", "--without login --logins x", "unknown flag: --logins", 2},
		{dir, "", "mcp --without states --state=x", "unknown flag: --state", 2},
		{dir, "", "--without owntabs --cdp chrome", "--cdp: expected a port, host:port, http://host:port, got \"chrome\"", 2},
		{dir, "", "--without shell open http://x", `unknown command "open"; left out of this run: shell`, 2},
		{dir, "", "features --without record", "Selenium Grid", 0},
	} {
		text, status := run(t, c.dir, c.stdin+"\n", strings.Fields(c.words)...)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("pwpipe %s: status %d, %s, want %q", c.words, status, text, c.want)
		}
		if strings.HasPrefix(c.words, "features") {
			pipetest.Lacks(t, text, "write what a person does", "show people")
		}
	}
}
