package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Tools write only inside the allowed folders, however the path is written.
func TestFiles(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	in, out, work := filepath.Join(base, "in"), filepath.Join(base, "out"), filepath.Join(base, "work")
	for _, dir := range []string{in, out, work} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": out, "dangling": filepath.Join(base, "nothing"), "inner": in} {
		if err := os.Symlink(to, filepath.Join(in, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.WriteFile(filepath.Join(out, "secret.txt"), []byte("not for pages"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(pipetest.Binary(t), "--base-url", pipetest.Site(t), "--allow-dir", in, "--output-dir", filepath.Join(base, "made"))
	cmd.Dir = work
	p := pipetest.StartCmd(t, cmd)
	p.Call("nav", []any{"/form"})
	for _, ok := range []string{filepath.Join(in, "a.png"), filepath.Join(in, "new", "deep", "b.png"), filepath.Join(in, "inner", "c.png"),
		in + "/new/../d.png", filepath.Join(base, "made", "e.png"), "../in/f.png"} {
		if got := p.Text("shot", []any{ok}); got != ok {
			t.Errorf("%s: %s", ok, got)
		}
	}
	for _, bad := range []string{filepath.Join(out, "a.png"), filepath.Join(in, "link", "b.png"), in + "/../out/c.png", in + "/link/../d.png",
		"g.png", "../out/h.png", filepath.Join(base, "i.png"), filepath.Join(in, "dangling", "j.png"), in + "/none/../../k.png", in + "x/l.png", "/m.png"} {
		pipetest.Has(t, p.Fail("shot", []any{bad}), "shot: path: ")
	}
	for _, dir := range []string{out, work} {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range left {
			if e.Name() != "secret.txt" {
				t.Errorf("%s was written", filepath.Join(dir, e.Name()))
			}
		}
	}
	pipetest.Has(t, p.Fail("route", []any{"**/x", `{"path":"` + filepath.Join(out, "secret.txt") + `"}`}), "route: path: ", "--allow-dir")
	pipetest.Has(t, p.Fail("route", []any{"**/x", `{"path":"` + filepath.Join(in, "link", "secret.txt") + `"}`}), "outside of the allowed folders")
	otherFiles(t, p, in, out, filepath.Join(base, "made"))
}

func TestFilesByDefault(t *testing.T) {
	t.Parallel()
	// It has secrets only so that it shares a process with other tests.
	p, dir := pipetest.Shared(t, "--secrets", secretsFile(t)), t.TempDir()
	p.Call("shot", []any{filepath.Join(dir, "a.png")})
	pipetest.Has(t, p.Fail("shot", []any{"/pwpipe-test-must-not-exist.png"}), "outside of the allowed folders")
	pipetest.Has(t, p.Fail("shot", []any{"/etc/pwpipe-test.png"}), "outside of the allowed folders")
	for _, args := range [][]string{{"--allow-dir", filepath.Join(dir, "none")}, {"--allow-dir", filepath.Join(dir, "a.png")}} {
		if _, stderr, status := pipetest.Run(t, "", args...); status != 2 {
			t.Errorf("%v: status %d: %s", args, status, stderr)
		}
	}
}

// otherFiles: tools also read only inside the folders, and files without a path go
// to the output folder.
func otherFiles(t *testing.T, p *pipetest.Pipe, in, out, made string) {
	t.Helper()
	secret := filepath.Join(out, "state.json")
	if err := os.WriteFile(secret, []byte(`{"cookies":[],"origins":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for tool, params := range map[string][]any{
		"upload": {"#attachment", secret}, "load-state": {secret}, "save-state": {filepath.Join(out, "x.json")}, "pdf": {filepath.Join(out, "x.pdf")},
	} {
		pipetest.Has(t, p.Fail(tool, params), tool+": ", "outside of the allowed folders")
	}
	own := filepath.Join(in, "own.txt")
	if err := os.WriteFile(own, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Call("upload", []any{"#attachment", own})
	pipetest.Has(t, p.Text("download", pipetest.Object{"url": "/files/notes.txt"}), made)
	if pipetest.Thorough() {
		pipetest.Has(t, p.Call("playwright_browser", map[string]any{"action": "launch"}), made)
	}
}

// The browsers of playwright_browser are guarded as well.
func TestLaunchedBrowsersAreGuarded(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingEscapes is quick")
	t.Parallel()
	v := newVictim(t)
	p, _ := pipetest.SharedIn(t, listed...)
	p.Call("playwright_browser", map[string]any{"action": "launch"})
	for _, u := range []string{v.url("x"), "file:///etc/passwd"} {
		if got := p.Call("playwright_browser", map[string]any{"action": "navigate", "url": u}); !strings.Contains(got, `"success":false`) {
			t.Errorf("%s: %s", u, got)
		}
	}
	if names := v.names(); len(names) > 0 {
		t.Errorf("came through: %v", names)
	}
}
