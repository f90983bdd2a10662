//go:build unix

package shell

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// A stopped service does not block commands for ever: one line names the process.
func TestStoppedCommand(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBrowserKilled of cmd/pwpipe is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok("pwpipe open -q $SITE/form")
	pid := d.service()
	waits := d.command("pwpipe wait '#nope' --timeout 600")
	var said strings.Builder
	waits.Stderr = &said
	if err := waits.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // so that the call runs; nothing depends on it
	_ = syscall.Kill(pid, syscall.SIGSTOP)
	defer syscall.Kill(pid, syscall.SIGCONT)
	for _, command := range []string{"pwpipe title", "pwpipe open", "pwpipe show"} {
		pipetest.Has(t, d.fails(1, command), "process "+strconv.Itoa(pid), "may be stopped")
	}
	_ = waits.Wait()
	if waits.ProcessState.ExitCode() != 1 || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("a command that ran: status %d, %s", waits.ProcessState.ExitCode(), &said)
	}
	_ = syscall.Kill(pid, syscall.SIGCONT)
	pipetest.Has(t, d.ok("pwpipe title --timeout 80"), "Form")
}

// Keys in flags of open do not become arguments of the service.
func TestKeysInFlags(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t)
	d.ok("pwpipe open -q --base-url 'http://127.0.0.1:9/?token=KEY1' --allow-dir . --allow-dir /usr")
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", d.service()))
	if err != nil {
		t.Skip(err)
	}
	if strings.Contains(string(line), "KEY1") || !strings.Contains(string(line), "service") {
		t.Errorf("the service's arguments: %q", line)
	}
	pipetest.Has(t, d.fails(1, "pwpipe goto /x"), "127.0.0.1:9")
	d.fails(1, "pwpipe shot /etc/a.png")
	d.ok("pwpipe shot a.png >/dev/null")
}

// File names in JSON are relative to the command's folder.
func TestFilesOfCalls(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok("pwpipe open -q $SITE/form; mkdir there")
	here := filepath.Join(d.dir, "there")
	if got := d.ok(`cd there; pwpipe call shot '["a.png"]'; pwpipe call shot '{"path":"b.png"}'`); got !=
		fmt.Sprintf("%q\n%q\n", filepath.Join(here, "a.png"), filepath.Join(here, "b.png")) {
		t.Errorf("call: %s", got)
	}
	d.ok(`cd there; printf '{"method":"shot","params":["c.png"]}\n' >s.ndjson; pwpipe run --quiet -s default s.ndjson >/dev/null; ` +
		`test -s a.png && test -s b.png && test -s c.png`)
	d.ok("cd there; pwpipe call txt '[\"h1\"]' && pwpipe call title && pwpipe call back")
}

// A page's text in an error can't control the terminal.
func TestErrorsOnTerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip(err)
	}
	for _, command := range []string{`pwpipe $(printf 'clik\033]0;b\007')`, `pwpipe --base-url $(printf 'x\033[2J')`,
		`pwpipe run $(printf 'x\033[2J')`} {
		out, _, status := d.bash("script -qec \"" + strings.ReplaceAll(command, "$", `\$`) + "\" /dev/null </dev/null")
		if status != 2 || strings.Contains(out, "\x1b") || !strings.Contains(out, `\x1b`) {
			t.Errorf("%s: status %d, %q", command, status, out)
		}
	}
}
