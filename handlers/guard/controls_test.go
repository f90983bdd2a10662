package guard_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// steered is a working folder whose files steer a pwpipe that was started there.
type steered struct {
	dir   string
	files map[string]string // texts, by name
}

func newSteered(t *testing.T) steered {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := steered{dir, map[string]string{
		"l.toml":                       "[shop]\norigin = \"https://shop.example\"\nuser = \"ada\"\npassword = {command = [\"sh\", \"word.sh\"]}\n",
		"word.sh":                      "echo word\n",
		"init.js":                      "window.started = true;\n",
		"pwpipe.json":                  "{\"timeout\": 20}\n",
		"conf/deep/real.env":           "OTHER=other-word-2\n",
		"state/pwpipe/saved/shop.json": "{}",
		"run/pwpipe/note":              "socket",
	}}
	for name, text := range s.files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s steered) at(name string) string { return filepath.Join(s.dir, name) }

// unchanged reports control files that are not as they were.
func (s steered) unchanged(t *testing.T) {
	t.Helper()
	for name, text := range s.files {
		if now, err := os.ReadFile(s.at(name)); string(now) != text {
			t.Errorf("%s is now %q, %v", name, now, err)
		}
	}
}

// TestControlFilesAreClosed: what steers pwpipe is neither read nor written by tools, scripts
// and downloads, whatever its path is.
func TestControlFilesAreClosed(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	s := newSteered(t)
	for name, to := range map[string]string{"link.toml": "l.toml", "folder": s.dir, "conf/link.env": "deep/real.env"} {
		if err := os.Symlink(to, s.at(name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link(s.at("conf/deep/real.env"), s.at("hard.txt")); err != nil {
		t.Skip(err)
	}
	cache, err := setup.CacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(pipetest.Binary(t), "--base-url", pipetest.Site(t), "--allow-dir", s.dir, "--logins", "l.toml",
		"--init-script", "init.js", "--secrets", "conf/link.env", "--allow-dir", filepath.Dir(cache), "--allow-file")
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+s.at("state"), "XDG_RUNTIME_DIR="+s.at("run"))
	p := pipetest.StartCmd(t, cmd)
	closed := []string{s.at("conf/link.env"), s.at("conf/deep/real.env"), s.at("l.toml"), "l.toml", "./conf/../l.toml", s.at("word.sh"), s.at("init.js"),
		s.at("pwpipe.json"), s.at("PwPipe.JSON"), s.at("new/pwpipe.json"), s.at("link.toml"), s.at("folder/init.js"),
		"/proc/self/root" + s.at("l.toml"), "/proc/self/cwd/l.toml", "/proc/thread-self/root" + s.at("word.sh"), s.at("state/pwpipe/saved/shop.json"),
		s.at("state/pwpipe/new.json"), s.at("run/pwpipe/note"), s.at("run/pwpipe/service.lock"), filepath.Join(cache, "new.js")}
	list, err := json.Marshal(closed)
	if err != nil {
		t.Fatal(err)
	}
	got := pipetest.Execute(p, `
const fs = require('fs'), came = [], dir = `+fmt.Sprintf("%q", s.dir+"/")+`;
const tries = {
	read: f => fs.readFileSync(f), write: f => fs.writeFileSync(f, 'evil'), append: f => fs.appendFileSync(f, 'evil'),
	remove: f => fs.rmSync(f), away: f => fs.renameSync(f, dir + 'moved'), onto: f => { fs.writeFileSync(dir + 'evil', ''); fs.renameSync(dir + 'evil', f); },
};
for (const f of `+string(list)+`)
	for (const [name, go] of Object.entries(tries))
		try { go(f); came.push(name + ' ' + f); } catch (e) { if (!/closed|ENOENT|may not use/.test(e.message)) came.push(name + ' ' + f + ': ' + e.message); }
const folders = {
	parent: () => fs.renameSync(dir + 'conf', dir + 'conf2'), deep: () => fs.renameSync(dir + 'conf/deep', dir + 'deep'),
	all: () => fs.rmSync(dir + 'conf', {recursive: true}), runtime: () => fs.renameSync(dir + 'run', dir + 'run2'),
	state: () => fs.rmSync(dir + 'state', {recursive: true}),
	instead: () => { fs.mkdirSync(dir + 'other/pwpipe', {recursive: true}); fs.renameSync(dir + 'other', dir + 'state'); },
};
for (const [name, go] of Object.entries(folders)) try { go(); came.push(name); } catch {}
came`)
	if got != "[]" {
		t.Errorf("a script came through: %s", got)
	}
	p.Call("nav", []any{"/form"})
	for _, path := range append(closed, s.at("hard.txt")) {
		pipetest.Has(t, p.Fail("route", []any{"**/x", `{"path":` + fmt.Sprintf("%q", path) + `}`}), "route: ")
		pipetest.Has(t, p.Fail("upload", []any{"#attachment", path}), "upload: ")
		pipetest.Has(t, p.Fail("save-state", []any{path}), "save-state: ")
		pipetest.Has(t, p.Fail("download", pipetest.Object{"url": "/files/orders.csv", "path": path}), "download: ")
	}
	pipetest.Has(t, p.Fail("upload", []any{"#attachment", s.dir}), "upload: ")
	s.unchanged(t)
	if text := pipetest.Execute(p, `const dir = `+fmt.Sprintf("%q", s.dir+"/")+`; require('fs').writeFileSync(dir + 'mine.txt', 'ok'); require('fs').readFileSync(dir + 'mine.txt', 'utf8')`); !strings.Contains(text, "ok") {
		t.Errorf("an ordinary file of the folder: %s", text)
	}
	s.asPages(t, p)
}

// asPages: a download whose server names it as a control file goes beside it, and a page of file: shows none.
func (s steered) asPages(t *testing.T, p *pipetest.Pipe) {
	t.Helper()
	name := ""
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		fmt.Fprint(w, "evil")
	}))
	t.Cleanup(site.Close)
	for _, at := range []string{"l.toml", "conf/deep/real.env", "pwpipe.json", "word.sh"} {
		name = filepath.Base(at)
		r := p.Try("download", pipetest.Object{"url": site.URL, "path": filepath.Dir(s.at(at))})
		if r.Error == "" && !strings.Contains(string(r.Result), "(1)") {
			t.Errorf("%s: %s", name, r.Result)
		}
	}
	s.unchanged(t)
}
