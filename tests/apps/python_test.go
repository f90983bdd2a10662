//go:build evidence

package apps

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// python makes an environment with packages of exact versions, once for all
// runs. It returns the folder of its programs.
func python(t *testing.T, packages ...string) string {
	t.Helper()
	exe, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "pwpipe-test", strings.ReplaceAll(strings.Join(packages, "-"), "==", "-"))
	if _, err := os.Stat(filepath.Join(dir, "done")); err == nil {
		return filepath.Join(dir, "bin")
	}
	for _, args := range [][]string{{exe, "-m", "venv", dir}, append([]string{filepath.Join(dir, "bin/pip"), "install", "--quiet", "--disable-pip-version-check"}, packages...)} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "done"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "bin")
}

// up waits until a server answers.
func up(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(pipetest.Patience); ; time.Sleep(100 * time.Millisecond) {
		if r, err := http.Get(url); err == nil {
			_ = r.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("nothing answers at %s", url)
		}
	}
}

// TestJupyterLab writes a notebook cell, runs it and reads its output.
func TestJupyterLab(t *testing.T) {
	wanted(t)
	bin, dir, addr := python(t, "jupyterlab==4.6.6"), t.TempDir(), pipetest.FreeAddr(t)
	_, port, _ := strings.Cut(addr, ":")
	background(t, dir, filepath.Join(bin, "jupyter"), "lab", "--no-browser", "--allow-root", "--port="+port,
		"--ServerApp.token=", "--ServerApp.password=", "--ServerApp.root_dir="+dir)
	site := "http://" + addr
	up(t, site+"/lab")
	p := pipetest.Start(t, "--base-url", site, "--timeout", "60")
	p.Call("nav", []any{"/lab?reset"})
	p.Call("click", []any{".jp-LauncherCard[data-category=Notebook] >> nth=0"})
	p.Call("wait", []any{".jp-Notebook .jp-Cell"})
	cell := ".jp-Notebook .jp-Cell >> nth=0 >> role=textbox"
	p.Call("click", []any{cell})
	p.Call("type", []any{cell, "print(6 * 7)"})
	pipetest.Has(t, p.Text("snapshot", nil), "print(6 * 7)")
	if got := p.Text("value", []any{cell}); !strings.Contains(got, "print(6 * 7)") {
		t.Errorf("value: %q", got)
	}
	p.Call("press", []any{"Shift+Enter", cell})
	p.Call("expect-text", map[string]any{"sel": ".jp-OutputArea-output >> nth=0", "text": "42"})
}

// TestDjangoAdmin signs in, adds a user and finds it in the list.
func TestDjangoAdmin(t *testing.T) {
	wanted(t)
	bin, dir, addr := python(t, "django==5.2.19"), t.TempDir(), pipetest.FreeAddr(t)
	run := func(env string, args ...string) {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	manage := filepath.Join(dir, "manage.py")
	run("A=", filepath.Join(bin, "django-admin"), "startproject", "harbour", ".")
	run("A=", filepath.Join(bin, "python"), manage, "migrate")
	run("DJANGO_SUPERUSER_PASSWORD=lamp-and-lens", filepath.Join(bin, "python"), manage, "createsuperuser", "--noinput", "--username=keeper", "--email=k@mail.example")
	background(t, dir, filepath.Join(bin, "python"), manage, "runserver", "--noreload", addr)
	site := "http://" + addr
	up(t, site+"/admin/")

	p := pipetest.Start(t, "--base-url", site, "--timeout", "30")
	p.Call("nav", []any{"/admin/"})
	p.Call("fill", []any{"label=Username", "keeper"})
	p.Call("fill", []any{"label=Password", "lamp-and-lens"})
	p.Call("click", []any{`role=button[name="Log in"]`})
	p.Call("click", []any{`role=link[name="Users"]`})
	p.Call("click", []any{".object-tools a"})
	p.Call("fill", []any{"label=Username", "mate"})
	p.Call("fill", []any{`#id_password1`, "storm-and-sail"})
	p.Call("fill", []any{`#id_password2`, "storm-and-sail"})
	p.Call("click", []any{`role=button[name="Save"] >> nth=0`})
	p.Call("nav", []any{"/admin/auth/user/"})
	pipetest.Has(t, p.Text("snapshot", nil), "keeper", "mate")
	pipetest.Has(t, p.Text("search", []any{"mate"}), "mate")
	p.Call("check", []any{"tr:has-text('mate') >> role=checkbox"})
	p.Call("sel", []any{"label=Action", "delete_selected"})
	p.Call("click", []any{`text="Go"`})
	p.Call("click", []any{"text=Yes, I’m sure"})
	pipetest.Has(t, p.Text("txt", []any{".messagelist"}), "Successfully deleted 1 user")
}
