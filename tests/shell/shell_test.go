//go:build unix

// Package shell tests shell commands: the real program from bash, with an empty HOME and
// no terminal.
package shell

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/shell/thin"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// desk is a user's shell with its own runtime folder, and so its own service.
type desk struct {
	t         testing.TB
	dir, run  string
	variables []string
}

// newDesk makes one; its service ends with the test.
func newDesk(t testing.TB, variables ...string) *desk {
	t.Helper()
	// Not t.TempDir, whose path is too long for a socket.
	run, err := os.MkdirTemp("", "pwpipe-shell-")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, dir: t.TempDir(), run: run}
	bin := filepath.Join(run, "bin")
	err = errors.Join(os.Mkdir(bin, 0o755), os.Symlink(pipetest.Binary(t), filepath.Join(bin, "pwpipe")))
	if err != nil {
		t.Fatal(err)
	}
	d.variables = append([]string{"HOME=" + t.TempDir(), "PWPIPE_CACHE=" + filepath.Join(cache, "pwpipe"),
		"XDG_RUNTIME_DIR=" + run, "DBUS_SESSION_BUS_ADDRESS=unix:path=" + run + "/none", // not the tester's keyring
		"PATH=" + bin + ":" + os.Getenv("PATH")}, variables...)
	t.Cleanup(func() {
		if pid := d.service(); pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGTERM)
			d.gone(pid)
		}
		log, _, _ := d.bash("cat $XDG_RUNTIME_DIR/pwpipe/*.log")
		if strings.Contains(log, "DATA RACE") || strings.Contains(log, "panic") {
			t.Errorf("the service has a bug")
		}
		if t.Failed() {
			t.Logf("log: %.3000s", log)
		}
		_ = os.RemoveAll(run)
	})
	return d
}

// bash runs a script to its end.
func (d *desk) bash(script string) (stdout, stderr string, status int) {
	d.t.Helper()
	cmd := d.command(script)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		d.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// callers are the variables that choose a session: the tests run below agents, too.
var callers = func() (list []string) {
	for _, v := range slices.Concat(thin.AgentIDs, thin.AgentMarks) {
		name, _, _ := strings.Cut(v[1], "=")
		list = append(list, name)
	}
	return append(list, thin.TerminalIDs...)
}()

func (d *desk) command(script string) *exec.Cmd {
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = d.dir
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(v, "PWPIPE_") && !slices.Contains(callers, name) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, d.variables...)
	return cmd
}

// ok runs a script that must succeed with nothing on stderr.
func (d *desk) ok(script string) string {
	d.t.Helper()
	out, errs, status := d.bash(script)
	if status != 0 || errs != "" {
		d.t.Fatalf("%s: status %d, %s", script, status, errs)
	}
	return out
}

// fails runs a script that must fail with this status and one line of error.
func (d *desk) fails(status int, script string) string {
	d.t.Helper()
	out, errs, got := d.bash(script)
	if got != status || strings.Count(errs, "\n") != 1 || out != "" {
		d.t.Fatalf("%s: status %d, want %d; stdout %q; stderr %q", script, got, status, out, errs)
	}
	return errs
}

// service is the process id of the desk's service, 0 for none.
func (d *desk) service() int {
	locks, _ := filepath.Glob(filepath.Join(d.run, "pwpipe", "*.lock"))
	if len(locks) == 0 {
		return 0
	}
	text, err := os.ReadFile(locks[0])
	pid, nerr := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || nerr != nil || syscall.Kill(pid, 0) != nil {
		return 0
	}
	return pid
}

// gone waits until a process has ended.
func (d *desk) gone(pid int) {
	d.t.Helper()
	pipetest.Eventually(d.t, fmt.Sprintf("process %d has ended", pid), func() bool { return syscall.Kill(pid, 0) != nil })
}

// A session stays between commands, and the service ends with the last one.
func TestCommands(t *testing.T) {
	for _, early := range pipetest.Sample([]string{"", "PWPIPE_NO_EARLY_ANSWER=1"}, 2) {
		t.Run(early, func(t *testing.T) {
			t.Parallel()
			commands(newDesk(t, "SITE="+pipetest.Site(t), early))
		})
	}
}

// commands runs one command after another.
func commands(d *desk) {
	t := d.t
	pipetest.Has(t, d.fails(3, "pwpipe txt h1"), "nothing is running", "pwpipe open URL")
	pipetest.Has(t, d.ok("pwpipe read $SITE/article"), "# Five lights") // in no session, so nothing stays
	pipetest.Eventually(t, "the service has ended", func() bool { _, _, status := d.bash("pwpipe title"); return status == 3 })
	pipetest.Has(t, d.ok("pwpipe open --base-url $SITE /login"), `h1 "Sign in"`, "[ref=e")
	if got := d.ok("pwpipe fill '[name=email]' --outline diff ada@mail.example"); !strings.HasPrefix(got, "~ textbox") {
		t.Errorf("an act says what changed: %s", got)
	}
	d.ok("pwpipe fill --val secret '[name=password]'")
	pipetest.Has(t, d.fails(2, "pwpipe txt h1 --outline some"), "outline: expected diff, whole or none")
	pipetest.Has(t, d.ok("pwpipe click '[type=submit]'"), "→ went to ")
	_, errs, _ := d.bash(`pwpipe eval "alert('Hello'); throw new Error('boom')"`)
	pipetest.Has(t, errs, "boom\n→ alert \"Hello\" was dismissed\n")
	if got := d.ok("pwpipe hover h1 --quiet; pwpipe hover h1 --json"); got != "null\n" {
		t.Errorf("what it did, though quiet: %q", got)
	}
	if got := d.ok("pwpipe wait .dashboard; pwpipe txt h1"); got != "Welcome, ada@mail.example\n" {
		t.Errorf("txt: %q", got)
	}
	for command, want := range map[string]string{
		"pwpipe vis .dashboard":                                               "true\n",
		"pwpipe eval 1+1":                                                     "2\n",
		"pwpipe eval 'null'":                                                  "",
		"pwpipe eval --json 'null'":                                           "null\n",
		"pwpipe txt --output json h1":                                         "\"Welcome, ada@mail.example\"\n",
		"echo '[1,2].map(n => n * 2)' | pwpipe eval -":                        "[2,4]\n",
		"echo 'document.title.length' >x; pwpipe eval @x":                     "18\n",
		"pwpipe eval -- -5":                                                   "-5\n",
		"pwpipe txt --max 7 h1 | head -2":                                     "Welcome\n\n",
		"pwpipe eval -5":                                                      "-5\n",
		"pwpipe eval \"'@@ada'.length\"":                                      "5\n",
		"pwpipe shot a.png; head -c4 a.png | tail -c3":                        filepath.Join(d.dir, "a.png") + "\nPNG",
		"pwpipe call txt '{\"sel\":\"h1\"}'":                                  "\"Welcome, ada@mail.example\"\n",
		"pwpipe vis @$(pwpipe snapshot | grep -om1 'ref=e[0-9]*' | cut -c5-)": "true\n",
		"pwpipe call title":                                                   "\"Dashboard | Skerry\"\n",
		"PWPIPE_OUTPUT=json pwpipe title":                                     "\"Dashboard | Skerry\"\n",
		"pwpipe sessions | cut -f1":                                           "default\n",
		"pwpipe sessions --json | jq -r '.[].name'":                           "default\n",
		"pwpipe snapshot --interactive --full=false | wc -l":                  d.ok("pwpipe snapshot --interactive | wc -l"),
	} {
		if got := d.ok(command); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	said := d.fails(1, "pwpipe txt '#nope' --timeout 0.5")
	for again := 0; again < 5 && !strings.Contains(said, "nothing matches"); again++ { // a busy page does not tell in time
		said = d.fails(1, "pwpipe txt '#nope' --timeout 0.5")
	}
	pipetest.Has(t, said, `nothing matches "#nope"`)
	for command, want := range map[string]string{
		"pwpipe txt":                                "sel is missing; usage: pwpipe txt SEL",
		"pwpipe txt a b":                            `too many words, from "b" on`,
		"pwpipe txt --sell a":                       "did you mean",
		"pwpipe click h1 --timeout x":               "timeout: expected a number",
		"pwpipe txt h1 --output xml":                "expected text or json",
		"pwpipe upload a":                           "files is missing",
		"pwpipe clik e5":                            `unknown command "clik"`,
		"pwpipe get text e5":                        "here it is: pwpipe txt SEL",
		"pwpipe cookies set a b":                    "cookies set is set-cookie here",
		"pwpipe wait --text Hi":                     "wait --text is wait-text here",
		"pwpipe find role button click --name Send": "click 'role=button[name=Submit]'",
		"pwpipe screenshot a.png":                   "got \"a.png\"; usage: pwpipe screenshot [--fullPage]",
		"pwpipe snapshot -i":                        "unknown option -i; did you mean --interactive?",
		"pwpipe eval @nope":                         "for the text @nope write @@nope",
		"pwpipe -s a/b open":                        "session: expected",
		"pwpipe call txt [":                         "params:",
		"pwpipe call nope":                          "unknown method: nope",
		"pwpipe open --headed":                      "the service runs already",
	} {
		pipetest.Has(t, d.fails(2, command), want)
	}
	pid := d.service()
	d.ok("pwpipe close")
	d.gone(pid)
	d.fails(3, "pwpipe txt h1")
	if log := d.ok("cat $XDG_RUNTIME_DIR/pwpipe/*.log"); log != "" {
		t.Errorf("log: %s", log)
	}
}
