package shell

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"pwpipe/internal/pipetest"
)

// terminal is a shell in a terminal of its own. A command goes to it by a pipe, as from a
// script; it is the terminal's process session that says whose it is.
type terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    *os.File
	out   *bufio.Reader
	close func()
}

// newTerminal opens a pseudo-terminal, and a shell that it controls.
func (d *desk) newTerminal(t *testing.T) *terminal {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	must(unix.IoctlSetPointerInt(int(ptmx.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(ptmx.Fd()), unix.TIOCGPTN)
	must(err)
	tty, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(err)
	defer tty.Close()
	inRead, in, err := os.Pipe()
	must(err)
	out, outWrite, err := os.Pipe()
	must(err)
	cmd := d.command(`while read -r line; do eval "$line" 2>&1; echo "=$?"; done`)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inRead, outWrite, outWrite
	cmd.ExtraFiles = []*os.File{tty}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	must(cmd.Start())
	_, _ = inRead.Close(), outWrite.Close()
	w := &terminal{t: t, cmd: cmd, in: in, out: bufio.NewReader(out)}
	w.close = func() { // as a person closes a window
		_, _, _ = in.Close(), ptmx.Close(), cmd.Wait()
	}
	t.Cleanup(w.close)
	return w
}

// run runs a line in the terminal's shell, and returns what it prints and its status.
func (w *terminal) run(line string) (out string, status int) {
	w.t.Helper()
	if _, err := fmt.Fprintln(w.in, "{ "+line+"; } </dev/null"); err != nil {
		w.t.Fatal(err)
	}
	for {
		text, err := w.out.ReadString('\n')
		if err != nil {
			w.t.Fatalf("%s: %v", line, err)
		}
		if code, ok := strings.CutPrefix(text, "="); ok {
			status, _ = strconv.Atoi(strings.TrimSpace(code))
			return out, status
		}
		out += text
	}
}

// TestCallers: agents, terminals and working trees keep a browser each, also where all begin
// at once, and the same one comes back to its own.
func TestCallers(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t), "PWPIPE_MAX_CONTEXTS=30", "PWPIPE_TIMEOUT=80")
	d.ok("git init -q one && cd one && git -c user.name=a -c user.email=a@mail.example commit -q --allow-empty -m first" +
		" && git worktree add -q ../two")
	run := map[string]func(line string) (out string, status int){}
	for name, set := range map[string]string{
		"claude":    "CLAUDE_CODE_SESSION_ID=a",
		"claude 2":  "CLAUDE_CODE_SESSION_ID=b",
		"codex":     "CODEX_THREAD_ID=a",
		"cursor":    "CURSOR_TRACE_ID=a",
		"gemini":    "GEMINI_CLI=1",
		"worktree":  "",
		"worktree2": "",
	} {
		dir := "one"
		if name == "worktree2" {
			dir = "two"
		}
		run[name] = func(line string) (string, int) {
			out, errs, status := d.bash("cd " + dir + "; export NONE= " + set + "; " + line)
			return out + errs, status
		}
	}
	for i := range 10 {
		run[fmt.Sprint("terminal ", i)] = d.newTerminal(t).run
	}
	type end struct{ name, out string }
	ends := make(chan end)
	for name, in := range run {
		go func() {
			out, status := in(`pwpipe open -q "$SITE/form?` + strings.ReplaceAll(name, " ", "-") + `"`)
			if status != 0 {
				out = fmt.Sprint("open: ", status, " ", out)
			}
			ends <- end{name, out}
		}()
	}
	for range run {
		if e := <-ends; e.out != "" {
			t.Errorf("%s: %s", e.name, e.out)
		}
	}
	if t.Failed() {
		return
	}
	for name, in := range run {
		want := "/form?" + strings.ReplaceAll(name, " ", "-") + "\n"
		if got, status := in("pwpipe url"); status != 0 || !strings.HasSuffix(got, want) {
			t.Errorf("%s has %d %q, want …%q", name, status, got, want)
		}
	}
	list := d.ok("pwpipe sessions")
	if n := strings.Count(list, "\n"); n != len(run) || strings.Count(list, "\ndefault\t")+strings.Count(list[:8], "default\t") != 1 {
		t.Errorf("%d sessions, want %d, one of them default:\n%s", n, len(run), list)
	}
	pipetest.Has(t, list, "agent claude-", "agent codex-", "agent gemini-", "terminal pts/", d.dir+"/two")
	if own, _ := run["codex"]("pwpipe sessions | grep yours"); !strings.HasPrefix(own, "codex-") || strings.Count(own, "\n") != 1 {
		t.Errorf("codex has %q", own)
	}
}

// TestOneTerminal: who has one terminal sees the session default only: from a subshell, a
// pipe and a script too, from another folder, and from the next window after this is closed.
func TestOneTerminal(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t, "SITE="+pipetest.Site(t))
	d.ok("mkdir tree && git -C tree init -q && printf 'pwpipe open -q $SITE/login\\npwpipe fill -q label=E-mail ada@mail.example\\n' >s.sh")
	first := d.newTerminal(t)
	for _, line := range []string{"bash s.sh", "cd tree", "(echo | pwpipe value label=E-mail | cat) | grep -q ada@",
		"pwpipe value -s default label=E-mail | grep -q ada@"} {
		if out, status := first.run(line); status != 0 {
			t.Fatalf("%s: %d %s", line, status, out)
		}
	}
	first.close()
	if out, status := d.newTerminal(t).run("pwpipe value label=E-mail"); status != 0 || !strings.HasPrefix(out, "ada@") {
		t.Errorf("the next window: %d %s", status, out)
	}
	if got := d.ok("pwpipe sessions | cut -f1"); got != "default\n" {
		t.Errorf("sessions: %s", got)
	}
	// A script without a terminal is another caller, and one, wherever it goes outside of working trees.
	d.ok("pwpipe open -q $SITE/form; mkdir other; cd other; pwpipe url | grep -q form; pwpipe close")
	d.ok("pwpipe -s default close")
}
