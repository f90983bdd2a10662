//go:build unix

package shell

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// Sessions keep cookies and storage apart; close --all ends the service.
func TestSessions(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok("pwpipe -s one open -q $SITE/form; PWPIPE_SESSION=two pwpipe open -q $SITE/form")
	d.ok(`pwpipe eval -s one "document.cookie = 'who=one'; localStorage.who = 'one'; 1"`)
	for session, want := range map[string]string{"one": `["who=one","one"]`, "two": `["",null]`} {
		if got := d.ok(`pwpipe eval '[document.cookie, localStorage.who ?? null]' -s ` + session); got != want+"\n" {
			t.Errorf("%s: %q, want %s", session, got, want)
		}
	}
	pipetest.Has(t, d.fails(3, "pwpipe txt h1"), "no session default is open")
	if got := d.ok("pwpipe sessions | cut -f1,2 | sed 's,http.*/,,'"); got != "one\tform\ntwo\tform\n" {
		t.Errorf("sessions: %q", got)
	}
	d.ok("pwpipe close one")
	pipetest.Has(t, d.fails(3, "pwpipe close one"), "no session one is open")
	d.ok("pwpipe session.create") // creates a session without a name
	pid := d.service()
	d.ok("pwpipe close --all")
	d.gone(pid)
	d.fails(3, "pwpipe sessions")
	d.ok("pwpipe close --all") // without a service there is nothing to close
}

// Fifty commands started at once share one service, and each gets its answer. On one
// session they run one after the other.
func TestAtOnce(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t), "PWPIPE_TIMEOUT=80")
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if _, errs, status := d.bash("pwpipe open -q"); status != 0 {
				t.Errorf("open: status %d, %s", status, errs)
			}
		})
	}
	all.Wait()
	if n := strings.Count(d.ok("pwpipe sessions"), "\n"); n != 1 {
		t.Errorf("%d sessions", n)
	}
	locks, _ := filepath.Glob(filepath.Join(d.run, "pwpipe", "*.lock"))
	if len(locks) != 1 {
		t.Errorf("services: %v", locks)
	}
	d.ok("pwpipe eval 'window.n = 0'")
	for range 50 {
		all.Go(func() {
			// Two overlapping calls would both read the same number.
			add := `(async () => { const n = window.n; await new Promise(r => setTimeout(r, 2)); window.n = n + 1 })()`
			if _, errs, status := d.bash("pwpipe eval -q '" + add + "'"); status != 0 {
				t.Errorf("eval: status %d, %s", status, errs)
			}
		})
	}
	all.Wait()
	if got := d.ok("pwpipe eval window.n"); got != "50\n" {
		t.Errorf("after 50 commands: %s", got)
	}
}

// The death of a service, a browser or a client is noticed. What they leave behind does no
// harm.
func TestKilled(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.InCI(t, "it is long, and TestBrowserKilled of cmd/pwpipe is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok("pwpipe open -q $SITE/form")

	// A client: its call is cancelled, and the session goes on.
	var client *exec.Cmd
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		client = d.command("exec pwpipe wait '#nope' --timeout 300")
		if err := client.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond) // so that the call runs; nothing depends on it
		_ = client.Process.Signal(signal)
		_ = client.Wait()
		if client.ProcessState.Success() {
			t.Errorf("%s: the command succeeded", signal)
		}
		d.ok("pwpipe title --timeout 80") // waits for its turn
	}

	// The browser: the next command gets another.
	pid := d.service()
	for browser, name := range pipetest.Descendants(t, pid) {
		if strings.Contains(name, "--remote-debugging-pipe") && !strings.Contains(name, "--type=") {
			_ = syscall.Kill(browser, syscall.SIGKILL)
		}
	}
	d.bash("pwpipe title") // may report it, once
	pipetest.Has(t, d.ok("pwpipe goto $SITE/form"), "textbox")

	// The service.
	_ = syscall.Kill(pid, syscall.SIGKILL)
	d.gone(pid)
	pipetest.Has(t, d.fails(3, "pwpipe title"), "the service is gone")
	out, errs, status := d.bash("pwpipe open $SITE/form")
	if status != 0 || strings.Count(errs, "\n") != 1 {
		t.Errorf("open: status %d, %s", status, errs)
	}
	pipetest.Has(t, errs, "the service was gone")
	pipetest.Has(t, out, "textbox")

	// The service, while a command runs.
	pid = d.service()
	client = d.command("exec pwpipe wait '#nope'")
	var said strings.Builder
	client.Stderr = &said
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	_ = syscall.Kill(pid, syscall.SIGKILL)
	_ = client.Wait()
	if client.ProcessState.ExitCode() != 1 && client.ProcessState.ExitCode() != 3 {
		t.Errorf("status %d", client.ProcessState.ExitCode())
	}
	pipetest.Has(t, said.String(), "the service")
	d.gone(pid)
	_, errs, _ = d.bash("pwpipe open -q")
	pipetest.Has(t, errs, "the service was gone") // a warning, which -q keeps
}

// An unused session is closed, and the service ends with the last one.
func TestIdle(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	pipetest.Has(t, d.fails(2, "pwpipe open --idle x"), "--idle")
	d.ok("pwpipe open -q --idle 300ms")
	pipetest.Eventually(t, "the service has ended", func() bool { return d.service() == 0 })
	pipetest.Has(t, d.fails(3, "pwpipe title"), "nothing is running")
}

// A stopped service does not keep commands for all services from the others.
func TestStopped(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBrowserKilled of cmd/pwpipe is quick")
	t.Parallel()
	d := newDesk(t)
	d.ok("pwpipe open -q")
	pid := d.service()
	d.ok("PWPIPE_TIMEOUT=9 pwpipe open -q")
	_ = syscall.Kill(pid, syscall.SIGSTOP)
	defer syscall.Kill(pid, syscall.SIGCONT)
	for _, command := range []string{"pwpipe sessions", "pwpipe close --all"} {
		out, errs, status := d.bash(command)
		if status != 1 || strings.Count(errs, "\n") != 1 || command == "pwpipe sessions" && strings.Count(out, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q", command, status, out, errs)
		}
		pipetest.Has(t, errs, fmt.Sprintf("service: the service (process %d) does not answer within 3s", pid))
	}
	_ = syscall.Kill(pid, syscall.SIGCONT)
	pipetest.Has(t, d.ok("pwpipe sessions"), "default")
	d.ok("pwpipe close --all")
	d.gone(pid)
}

// A folder is not used if others can enter or own it, or if it is no folder.
func TestFolder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	dir := filepath.Join(d.run, "pwpipe")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, d.fails(2, "pwpipe open"), "others may enter it", "somebody else could reach your browser")
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	target := t.TempDir()
	if err := os.Symlink(target, dir); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, d.fails(2, "pwpipe open"), "it is not a folder")
	_ = os.Remove(dir)
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, d.fails(2, "pwpipe open"), "it is not a folder")
	_ = os.Remove(dir)
	if os.Geteuid() == 0 {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		pipetest.Has(t, d.fails(2, "pwpipe open"), "it is another user's")
		_ = os.Remove(dir)
	}
	long := filepath.Join(d.run, strings.Repeat("l", 120))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, d.fails(1, "XDG_RUNTIME_DIR="+long+" pwpipe open"), "too long for a socket")
	// Another user's XDG_RUNTIME_DIR is not used: sudo leaves it there.
	pipetest.Has(t, d.fails(3, fmt.Sprintf("chmod 755 %[1]s; XDG_RUNTIME_DIR=%[1]s TMPDIR=%[2]s pwpipe title", long, d.dir)), "nothing is running")
	if _, err := os.Stat(filepath.Join(d.dir, "pwpipe-"+strconv.Itoa(os.Geteuid()))); err != nil {
		t.Error(err)
	}
}

// A request script runs in an open session.
func TestRun(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLogAndReplay of cmd/pwpipe is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok(`cat >s.ndjson <<END
{"method":"fill","params":["[name=email]","ada@mail.example"]}
{"method":"txt","params":{"sel":"h1"},"page":"p1","timeout":5}
END
echo '{"method":"txt","params":["#nope"],"timeout":0.3}' >bad.ndjson`)
	pipetest.Has(t, d.fails(3, "pwpipe run -s work s.ndjson"), "nothing is running")
	d.ok("pwpipe -s work open -q $SITE/login")
	pipetest.Has(t, d.ok("pwpipe run -s work s.ndjson"), "ok     1 fill", "ok     2 txt")
	if got := d.ok("pwpipe -s work value '[name=email]'"); got != "ada@mail.example\n" {
		t.Errorf("value: %s", got)
	}
	out, _, status := d.bash("pwpipe run -s work --html r.html bad.ndjson")
	for again := 0; again < 5 && !strings.Contains(out, "nothing matches"); again++ { // a busy page does not tell in time
		out, _, status = d.bash("pwpipe run -s work --html r.html bad.ndjson")
	}
	if status != 1 {
		t.Errorf("status %d", status)
	}
	pipetest.Has(t, out, "FAIL", `nothing matches "#nope"`)
	pipetest.Has(t, d.ok("cat r.html"), "data:image/png")
	pipetest.Has(t, d.fails(2, "pwpipe run -s work --headed s.ndjson"), "--headed belongs to a browser")
}
