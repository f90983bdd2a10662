//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// Settings hold in the order flag, variable, nearest file, user's file, default.
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
	write(filepath.Join(d.dir, "conf", "pwpipe", "pwpipe.json"),
		`{"timeout": 9, "max-pages": 4, "lang": "zh", "secrets": "s.env", "idle": "1h"}`)
	d.variables = append(d.variables, "XDG_CONFIG_HOME="+filepath.Join(d.dir, "conf"), "PWPIPE_MAX_PAGES=5")
	got := d.ok("cd a/b; pwpipe config --lang en --json | jq -r '.[] | select(.from != \"default\") | " +
		"[.name, .value, .from] | @tsv'")
	user := filepath.Join(d.dir, "conf", "pwpipe", "pwpipe.json")
	want := "allowed-domains\tp.example,q.example\t" + project + "\nbase-url\thttp://p.example\t" + project +
		"\nidle\t1h\t" + user + "\nlang\ten\tflag\nmax-pages\t5\tPWPIPE_MAX_PAGES\nsecrets\t" +
		filepath.Join(d.dir, "conf", "pwpipe", "s.env") + "\t" + user + "\ntimeout\t7\t" + project + "\n"
	if got != want {
		t.Errorf("config:\n%s\nwant:\n%s", got, want)
	}
	pipetest.Has(t, d.ok("pwpipe config"), "max-pages", "PWPIPE_MAX_PAGES", "default")
	for text, part := range map[string]string{
		`{"timeot": 1}`:                `unknown setting "timeot"; did you mean`,
		`{"timeout": {}}`:              "timeout: expected a text, a number",
		`{"timeout": "x"}`:             "timeout",
		`{"timeout": 1, "timeout": 2}`: "duplicate",
		`[]`:                           "expected a JSON object",
		`{"browser": "./evil"}`:        "browser can be set by a flag, PWPIPE_BROWSER, or in " + user,
		`{"allow-dir": ["/"]}`:         "a project's file may not",
		`{"place": "x"}`:               `unknown setting "place"`,
	} {
		write(project, text)
		pipetest.Has(t, d.fails(2, "pwpipe config"), project, part)
		pipetest.Has(t, d.fails(2, "pwpipe open"), project, part)
	}
	write(project, `{}`)
	if err := os.Chmod(project, 0o666); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, d.fails(2, "pwpipe open"), "others may write it")
}

// A folder with other settings has another service: what its walls keep out can't be
// reached through a session of a folder without walls.
func TestSettingsApart(t *testing.T) {
	t.Parallel()
	site := pipetest.Site(t)
	d := newDesk(t, "SITE="+site)
	d.ok(`pwpipe open -q $SITE/form; mkdir walled; echo '{"allowed-domains": ["p.example"]}' >walled/pwpipe.json`)
	pipetest.Has(t, d.fails(3, "cd walled; pwpipe title"), "nothing is running")
	pipetest.Has(t, d.fails(1, "cd walled; pwpipe open $SITE/form"), "blocked")
	pipetest.Has(t, d.ok("pwpipe sessions"), "of other settings", site+"/form")
	// A relative file is of the folder that the command is in; other folders are not touched.
	if got := d.ok("pwpipe shot a.png; cd walled; PWPIPE_QUIET=1 pwpipe shot a.png"); got !=
		filepath.Join(d.dir, "a.png")+"\n"+filepath.Join(d.dir, "walled", "a.png")+"\n" {
		t.Errorf("shots: %s", got)
	}
	d.ok("pwpipe close --all")
	d.fails(3, "pwpipe sessions")
}
