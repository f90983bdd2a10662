//go:build unix

package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// stores sets a cookie, an item, a record and an item of the tab to a text.
func (d *desk) stores(text string) {
	d.t.Helper()
	d.ok(`pwpipe eval -q 'new Promise((done, failed) => {
	document.cookie = "who=` + text + `; max-age=9999"; localStorage.who = sessionStorage.who = "` + text + `"
	const r = indexedDB.open("db", 1)
	r.onupgradeneeded = () => r.result.createObjectStore("s")
	r.onsuccess = () => {
		const t = r.result.transaction("s", "readwrite")
		t.objectStore("s").put("` + text + `", "who")
		t.oncomplete = () => { r.result.close(); done(1) }
	}
	r.onerror = failed
})'`)
}

// stored is what the four hold.
func (d *desk) stored() string {
	d.t.Helper()
	return strings.TrimSpace(d.ok(`pwpipe eval 'new Promise(done => {
	const r = indexedDB.open("db", 1), read = v => done([document.cookie, localStorage.who ?? "", v, sessionStorage.who ?? ""].join("|"))
	r.onupgradeneeded = () => r.result.createObjectStore("s")
	r.onsuccess = () => {
		const q = r.result.transaction("s").objectStore("s").get("who")
		q.onsuccess = () => { r.result.close(); read(q.result ?? "") }
	}
})'`))
}

const storedNothing, storedOne, storedTwo = "|||", "who=one|one|one|one", "who=two|two|two|two"

// kill kills the service, and waits for its end.
func (d *desk) kill() {
	d.t.Helper()
	pid := d.service()
	browsers := pipetest.Descendants(d.t, pid)
	_ = syscall.Kill(pid, syscall.SIGKILL)
	d.gone(pid)
	for pid := range browsers { // they end by themselves, after a while
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// kept waits until a session's file has a text.
func (d *desk) kept(file, text string) {
	d.t.Helper()
	pipetest.Eventually(d.t, file+" has "+text, func() bool {
		got, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(got), text)
	})
}

// newKeeper is a desk with its own folder for kept state.
func newKeeper(t *testing.T) (d *desk, file string) {
	d = newDesk(t, "SITE="+pipetest.Site(t))
	d.variables = append(d.variables, "XDG_STATE_HOME="+filepath.Join(d.run, "state"))
	return d, filepath.Join(d.run, "state", "pwpipe", "service", "default.json")
}

// Kept sessions start with their stored state, before the first page. Others start
// empty.
func TestPersist(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestStates is quick")
	t.Parallel()
	d, file := newKeeper(t)
	_, errs, status := d.bash("pwpipe open --persist $SITE/form")
	if status != 0 || strings.Count(errs, "\n") != 1 {
		t.Errorf("status %d, %s", status, errs)
	}
	pipetest.Has(t, errs, file, "not encrypted", "only you can read the file")
	d.stores("one")
	d.ok("pwpipe open -q -s other $SITE/form")
	pid := d.service()
	d.ok("pwpipe close; pwpipe close other")
	d.gone(pid)
	if got := d.ok("stat -c %a " + filepath.Dir(file) + " " + file); got != "700\n600\n" {
		t.Errorf("modes: %s", got)
	}
	d.ok("pwpipe open -q --persist $SITE/form")
	if got := d.stored(); got != storedOne {
		t.Errorf("after a restart: %s", got)
	}
	// The first requested page gets the cookie of a login.
	d.ok("pwpipe goto -q $SITE/login; pwpipe fill -q label=E-mail ada@mail.example; pwpipe fill -q label=Password secret; " +
		"pwpipe click -q 'role=button[name=\"Sign in\"]'; pwpipe wait .dashboard; pwpipe close")
	pipetest.Has(t, d.ok("pwpipe open --persist $SITE/dashboard 2>/dev/null"), "Welcome, ada")
	d.ok("pwpipe close; pwpipe open -q $SITE/form")
	if got := d.stored(); got != storedNothing {
		t.Errorf("without --persist: %s", got)
	}
	pipetest.Has(t, d.fails(2, "pwpipe open --persist"), "open already, without --persist")
	d.ok("pwpipe close; PWPIPE_PERSIST=1 pwpipe open -q; PWPIPE_PERSIST=1 pwpipe close")
	d.ok("test -e " + filepath.Dir(filepath.Dir(file)) + "/service-*/default.json")
	d.ok("echo '{}x' >" + file + "; rm -f " + file + ".1")
	pipetest.Has(t, d.fails(1, "pwpipe open --persist"), file)
	pipetest.Has(t, d.ok("cat "+file), "{}x")
	d.ok("rm " + file + "; pwpipe open -q --persist $SITE/form; mv " + filepath.Dir(file) + " $HOME/away")
	pipetest.Has(t, d.fails(1, "pwpipe close --all"), "session default", "could not be kept") // the folder is away
}

// After a kill of the service or the browser, the next has the last complete state.
func TestPersistKilled(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestStates is quick")
	pipetest.UnderRace(t)
	t.Parallel()
	d, file := newKeeper(t)
	d.ok("pwpipe open -q --persist $SITE/form")
	d.stores("one")
	d.kept(file, `"one"`)
	for browser, name := range pipetest.Descendants(t, d.service()) {
		if strings.Contains(name, "--remote-debugging-pipe") && !strings.Contains(name, "--type=") {
			_ = syscall.Kill(browser, syscall.SIGKILL)
		}
	}
	d.bash("pwpipe title") // may report it, once
	d.ok("pwpipe goto -q $SITE/form")
	if got := d.stored(); got != storedOne {
		t.Errorf("after the browser was killed: %s", got)
	}
	for _, i := range pipetest.Some([]int{1, 0, 2, 3, 4, 5}, 3) { // while it may be saving
		d.stores([]string{"two", "one"}[i%2])
		time.Sleep(time.Duration(i) * 250 * time.Millisecond)
		d.kill()
		d.bash("pwpipe open -q --persist $SITE/form")
		if got := d.stored(); got != storedOne && got != storedTwo {
			t.Errorf("after kill %d: %s", i, got)
		}
	}
	// The service may have saved more than once on the way, so the generation before is
	// put there by hand.
	d.stores("one")
	d.ok("pwpipe close; cp " + file + " " + file + ".one; pwpipe open -q --persist $SITE/form")
	d.stores("two")
	d.ok("pwpipe close; test -s " + file + ".1 && mv " + file + ".one " + file + ".1")
	d.ok("head -c 100 " + file + " >" + file + ".cut && mv " + file + ".cut " + file) // by somebody else
	d.ok("pwpipe open -q --persist $SITE/form")
	if got := d.stored(); got != storedOne {
		t.Errorf("from the generation before: %s", got)
	}
}

// A full disk is an error, and the kept state stays.
func TestPersistFull(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestStates is quick")
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a small disk")
	}
	d, file := newKeeper(t)
	disk := filepath.Join(d.run, "state")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", disk).CombinedOutput(); err != nil {
		t.Skipf("mount: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", disk).Run() })
	d.ok("pwpipe open -q --persist $SITE/form")
	d.stores("one")
	d.kept(file, `"one"`)
	d.ok(`pwpipe eval -q 'localStorage.big = "x".repeat(100_000); localStorage.who = "two"'`)
	var errs string
	pipetest.Eventually(t, "a warning", func() bool {
		_, errs, _ = d.bash("pwpipe title")
		return strings.Contains(errs, "could not be kept") && strings.Contains(errs, "no space left on device")
	})
	pipetest.Has(t, d.fails(1, "pwpipe close"), "the session is closed, but", "could not be kept", "no space left")
	d.ok("pwpipe open -q --persist $SITE/form")
	if got := d.stored(); got != storedOne {
		t.Errorf("what was kept: %s", got)
	}
	if got := d.ok("ls " + filepath.Dir(file) + " | grep -c new || true"); got != "0\n" {
		t.Errorf("%s half files are left", got)
	}
}
