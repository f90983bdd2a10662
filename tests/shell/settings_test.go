//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Settings apply in the order flag, variable, nearest file, user's file, default.
func TestSettings(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	project, deep := filepath.Join(d.dir, "pwpipe.json"), filepath.Join(d.dir, "a", "b")
	write(filepath.Join(deep, "x"), "")
	write(project, `{"base-url": "http://p.example", "timeout": 7, "allowed-domains": ["p.example", "q.example"]}`)
	user := filepath.Join(d.dir, "conf", "pwpipe", "pwpipe.json")
	write(user, `{"timeout": 9, "max-pages": 4, "lang": "zh", "output-dir": "out", "idle": "1h"}`)
	d.variables = append(d.variables, "XDG_CONFIG_HOME="+filepath.Join(d.dir, "conf"), "PWPIPE_MAX_PAGES=5")
	got := d.ok("cd a/b; pwpipe config --lang en --json | jq -r '.[] | select(.from != \"default\") | " +
		"[.name, .value, .from] | @tsv'")
	want := "allowed-domains\tp.example,q.example\t" + project + "\nbase-url\thttp://p.example\t" + project +
		"\nidle\t1h\t" + user + "\nlang\ten\tflag\nmax-pages\t5\tPWPIPE_MAX_PAGES\noutput-dir\t" +
		filepath.Join(d.dir, "conf", "pwpipe", "out") + "\t" + user + "\ntimeout\t7\t" + project + "\n"
	if got != want {
		t.Errorf("config:\n%s\nwant:\n%s", got, want)
	}
	pipetest.Has(t, d.ok("pwpipe config"), "max-pages", "PWPIPE_MAX_PAGES", "default")
	write(user, `{"secrets": "s.env"}`)
	for text, part := range map[string]string{
		`{"timeot": 1}`:                    `unknown setting "timeot"; did you mean`,
		`{"timeout": {}}`:                  "timeout: expected a text, a number",
		`{"timeout": "x"}`:                 "timeout",
		`{"timeout": 1, "timeout": 2}`:     "duplicate",
		`[]`:                               "expected a JSON object",
		`{"browser": "./evil"}`:            "browser can be set by a flag, PWPIPE_BROWSER, or in " + user,
		`{"allow-dir": ["/"]}`:             "a project's file may not",
		`{"place": "x"}`:                   `unknown setting "place"`,
		`{"tools": []}`:                    "tools: an empty value",
		`{"allowed-domains": ""}`:          "allowed-domains: an empty value",
		`{"max-pages": 0}`:                 "expected a number from 1 to 50",
		`{"no-execute": "maybe"}`:          "no-execute",
		`{"base-url": "http://e.example"}`: "may not set it where there are secrets",
	} {
		write(project, text)
		pipetest.Has(t, d.fails(2, "pwpipe open"), project, part)
		if pipetest.Thorough() || strings.Contains(text, "evil") { // all commands read the same settings
			pipetest.Has(t, d.fails(2, "pwpipe config"), project, part)
			pipetest.Has(t, d.fails(2, "pwpipe txt h1"), project, part)
		}
	}
	write(project, `{}`)
	if err := os.Chmod(project, 0o666); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, d.fails(2, "pwpipe open"), "others may write it")
	for make, part := range map[string]string{
		"ln -s /dev/zero pwpipe.json": "it is not a regular file", "mkfifo pwpipe.json": "it is not a regular file",
		"mkdir pwpipe.json": "it is not a regular file", "truncate -s 2M pwpipe.json": "it is over 1 MiB",
	} {
		d.ok("rm -rf pwpipe.json; " + make)
		pipetest.Has(t, d.fails(2, "timeout 20 pwpipe title"), project, part)
		pipetest.Has(t, d.fails(2, "timeout 20 pwpipe config"), project, part)
	}
}

// A project's file adds to the user's walls, and removes none.
func TestSettingsWalls(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.variables = append(d.variables, "XDG_CONFIG_HOME="+filepath.Join(d.dir, "conf"))
	d.ok("mkdir -p conf/pwpipe")
	for _, c := range []struct{ users, project, variables, name, want string }{
		{`"allowed-domains": "u"`, `"allowed-domains": "p"`, "", "allowed-domains", "u"},
		{``, `"allowed-domains": "p"`, "", "allowed-domains", "p"},
		{``, `"allowed-domains": "p"`, "ALLOWED_DOMAINS=v", "allowed-domains", "v"},
		{``, `"allowed-domains": "p"`, "ALLOWED_DOMAINS=", "allowed-domains", ""},
		{`"allowed-domains": "u"`, ``, "PWPIPE_ALLOWED_DOMAINS=", "allowed-domains", ""},
		{`"tools": ["txt"]`, `"tools": ["nav"]`, "", "tools", "txt"},
		{`"max-pages": 3`, `"max-pages": 9`, "", "max-pages", "3"},
		{``, `"max-pages": 9`, "", "max-pages", "9"},
		{`"blocked-domains": ["u", "w"]`, `"blocked-domains": "p"`, "", "blocked-domains", "u,w,p"},
		{`"blocked-domains": "u"`, `"blocked-domains": "p"`, "BLOCKED_DOMAINS=v", "blocked-domains", "v,p"},
		{`"block-private": true`, `"block-private": false`, "", "block-private", "true"},
		{`"block-private": false`, `"block-private": true`, "", "block-private", "true"},
		{``, `"no-execute": false`, "PWPIPE_NO_EXECUTE=1", "no-execute", "1"},
		{``, `"no-execute": true`, "PWPIPE_NO_EXECUTE=0", "no-execute", "true"},
		{``, `"base-url": "http://p"`, "PWPIPE_SECRETS=x PWPIPE_BASE_URL=http://v", "base-url", "http://v"},
	} {
		got := d.ok("echo '{" + c.users + "}' >conf/pwpipe/pwpipe.json; echo '{" + c.project + "}' >pwpipe.json; " +
			c.variables + " pwpipe config --json | jq -r '.[] | select(.name == \"" + c.name + "\").value'")
		if got != c.want+"\n" {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
