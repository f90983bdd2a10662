//go:build evidence && unix

package shell

import (
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// Settings files apply to the pipe, serve and run as to shell commands.
func TestSettingsOfPipe(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSettings is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.variables = append(d.variables, "XDG_CONFIG_HOME="+filepath.Join(d.dir, "conf"))
	d.ok(`mkdir -p conf/pwpipe a; echo '{"max-pages": 1, "max-line": 2000}' >conf/pwpipe/pwpipe.json
echo "{\"base-url\": \"$SITE\", \"max-pages\": 9}" >pwpipe.json
printf '%s\n' '{"id":1,"method":"nav","params":["/form"]}' >a/nav; printf '%s\n' '{"method":"nav","params":["/form"]}' >a/run.ndjson`)
	if got := d.ok("cd a; pwpipe <nav"); got != `{"id":1,"result":null}`+"\n" {
		t.Errorf("a project's base URL: %s", got)
	}
	d.ok("cd a; pwpipe run run.ndjson >/dev/null")
	pipetest.Has(t, d.ok("cd a; pwpipe --base-url http://127.0.0.1:9 <nav"), "127.0.0.1:9")
	pipetest.Has(t, d.ok("cd a; PWPIPE_BASE_URL=http://127.0.0.1:9 pwpipe <nav"), "127.0.0.1:9")
	for command, want := range map[string]string{
		"pwpipe config pipe":                   "1",
		"pwpipe config serve":                  "1",
		"MAX_PAGES=5 pwpipe config serve":      "5",
		"MAX_PAGES=5 pwpipe config pipe":       "1",
		"PWPIPE_MAX_PAGES=5 pwpipe config":     "5",
		"PWPIPE_MAX_PAGES=5 pwpipe config run": "5",
	} {
		if got := d.ok(command + " --json | jq -r '.[] | select(.name == \"max-pages\").value'"); got != want+"\n" {
			t.Errorf("%s: %s", command, got)
		}
	}
	pipetest.Has(t, d.ok("API_KEY=KEY1 pwpipe config serve | grep ^api-key"), "(set)", "API_KEY")
	// A project's file removes none of the user's walls, and does not affect programs.
	d.ok(`echo '{"allowed-domains": ["u.example"]}' >conf/pwpipe/pwpipe.json
echo "{\"base-url\": \"$SITE\", \"allowed-domains\": [\"127.0.0.1\"]}" >pwpipe.json`)
	pipetest.Has(t, d.ok("cd a; pwpipe <nav"), "blocked")
	for _, text := range []string{`{"addr": ":1"}`, `{"api-key": "x"}`, `{"strict": true}`, `{"secrets": "s"}`, `{"allow-host-regex": ".*"}`} {
		d.ok("echo '" + text + "' >pwpipe.json")
		for _, command := range []string{"pwpipe <a/nav", "pwpipe serve", "pwpipe run a/run.ndjson"} {
			pipetest.Has(t, d.fails(2, command), "a project's file may not")
		}
	}
	d.ok("pwpipe tools >/dev/null; pwpipe --version >/dev/null") // these need no settings
}
