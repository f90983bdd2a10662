// Package narrow starts pwpipe in restricted environments: low limits, system-call
// filters as in containers, folders without write or execute permission.
package narrow

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// place is an environment in which to start pwpipe.
type place struct {
	name string
	in   func(*testing.T, *exec.Cmd)
	says string // a part of the expected error; "" if everything works
	at   string // the tool that reports it
}

// limits are just high enough for the pinned build, or for a Chromium with windows,
// which needs more. bash counts file sizes in KiB.
func limits(t *testing.T) []place {
	in, err := setup.Ensure(t.Context(), setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !in.Pinned() {
		return []place{
			{name: "ulimit -n 160", in: shell("ulimit -n 160")},
			{name: "ulimit -n 64", in: shell("ulimit -n 64"), at: "nav", says: "the limit of open files (ulimit -n) is 64; a browser needs 160"},
			{name: "ulimit -f 8192", in: shell("ulimit -f 8192")},
		}
	}
	return []place{
		{name: "ulimit -n 64", in: shell("ulimit -n 64")},
		{name: "ulimit -n 61", in: shell("ulimit -n 61"), at: "execute", says: "the limit of open files (ulimit -n) is 61; scripts need "},
		{name: "ulimit -n 40", in: shell("ulimit -n 40"), at: "nav", says: "the limit of open files (ulimit -n) is 40; a browser needs 64"},
		{name: "ulimit -f 2048", in: shell("ulimit -f 2048")},
	}
}

var places = []place{
	{name: "ulimit -n 200", in: shell("ulimit -n 200")},
	{name: "ulimit -Sn 100", in: shell("ulimit -Sn 100")},
	{name: "ulimit -v 4 GB", in: shell("ulimit -v 4000000"), at: "nav", says: "the limit of address space (ulimit -v) is 4096000000; a browser needs 256 GiB"},
	{name: "ulimit -v 256 GiB", in: shell("ulimit -v 268435456")},
	{name: "ulimit -f 64", in: shell("ulimit -f 64"), at: "nav", says: "the limit of the size of files (ulimit -f) is "},
	{name: "ulimit -c 0", in: shell("ulimit -c 0")},
	{name: "ulimit -l 0", in: shell("ulimit -l 0")},
	{name: "ulimit -s 1024", in: shell("ulimit -s 1024")},
	{name: "no new privileges", in: program("setpriv", "--no-new-privs")},
	{name: "low priority", in: program("nice", "-n", "19")},
	{name: "HOME unset", in: environment("HOME=", "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=")},
	{name: "HOME read-only", in: environment("HOME=/proc")},
	{name: "noexec temporary folder", in: mounts(`mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 none "$TMPDIR"`)},
	{name: "read-only /sys", in: mounts("mount -t tmpfs -o ro none /sys")},
	{name: "no delegated control groups", in: mounts("mount -t tmpfs -o ro none /sys/fs/cgroup")},
	{name: "read-only /dev/shm", in: mounts("mount -t tmpfs -o ro none /dev/shm")},
	{name: "prlimit64 refused, EPERM", in: refuses(unix.EPERM, unix.SYS_PRLIMIT64), at: "nav", says: "prlimit64 is refused (operation not permitted)"},
	{name: "prlimit64 refused, ENOSYS", in: refuses(unix.ENOSYS, unix.SYS_PRLIMIT64), at: "nav", says: "prlimit64 is refused (function not implemented)"},
	{name: "no execveat", in: refuses(unix.EPERM, unix.SYS_EXECVEAT), at: "execute", says: "by execveat: operation not permitted"},
}

// optional are system calls that a cell or the browser does not need.
var optional = map[string][]int{
	"landlock":    {unix.SYS_LANDLOCK_CREATE_RULESET, unix.SYS_LANDLOCK_ADD_RULE, unix.SYS_LANDLOCK_RESTRICT_SELF},
	"userfaultfd": {unix.SYS_USERFAULTFD},
	"unshare":     {unix.SYS_UNSHARE, unix.SYS_SETNS},
	"close_range": {unix.SYS_CLOSE_RANGE},
	"seccomp":     {unix.SYS_SECCOMP},
	"priority":    {unix.SYS_SETPRIORITY, unix.SYS_GETPRIORITY},
	"pidfd":       {unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PIDFD_GETFD},
	"memfd":       {unix.SYS_MEMFD_CREATE},
	"io_uring":    {unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER},
	"new files":   {unix.SYS_OPENAT2, unix.SYS_STATX, unix.SYS_COPY_FILE_RANGE, unix.SYS_SPLICE},
}

// TestNarrowPlaces: without optional things browser and scripts work. If something
// necessary is missing, one line says what.
func TestNarrowPlaces(t *testing.T) {
	pipetest.InCI(t, "it takes things away from the machine")
	list := append(limits(t), places...)
	for name, calls := range optional {
		for _, no := range []unix.Errno{unix.EPERM, unix.ENOSYS} {
			list = append(list, place{name: name + " refused, " + unix.ErrnoName(no), in: refuses(no, calls...)})
		}
	}
	// Libraries try the new call for threads first, and take EPERM as final.
	list = append(list, place{name: "clone3 refused, ENOSYS", in: refuses(unix.ENOSYS, unix.SYS_CLONE3)})
	user := pipetest.NormalUser(t)
	// Written before anything starts: a program that is open for writing can't run.
	self, err := os.Executable()
	if err == nil {
		err = copyFile(self, filepath.Join(user.Home, refuser))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			cmd := user.Command("--site")
			cmd.Env = append(cmd.Env, "TMPDIR="+folder(t))
			p.in(t, cmd)
			p.check(pipetest.StartCmd(t, cmd))
		})
	}
}

// check starts a browser, reads a page, and runs scripts, in TypeScript too.
func (p place) check(pipe *pipetest.Pipe) {
	pipe.T.Helper()
	steps := []struct{ tool, code string }{{"nav", ""}, {"execute", "6 * 7"}, {"execute", "const n: number = 6; return n * 7"}}
	for _, s := range steps {
		params := []any{s.code}
		if s.tool == "nav" {
			params = []any{"/form"}
		}
		r := pipe.Try(s.tool, params)
		switch {
		case p.at == s.tool:
			if !strings.Contains(r.Error, p.says) {
				pipe.T.Errorf("%s: %q does not say %q", s.tool, r.Error, p.says)
			}
			return
		case r.Error != "":
			pipe.T.Fatalf("%s %s: %s", s.tool, s.code, r.Error)
		case s.code != "" && !strings.Contains(string(r.Result), "42"):
			pipe.T.Errorf("%s: %s", s.code, r.Result)
		}
	}
}

// folder is a temporary folder for any user.
func folder(t *testing.T) string {
	dir, err := os.MkdirTemp("", "narrow-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// program makes another program start the command.
func program(name string, args ...string) func(*testing.T, *exec.Cmd) {
	return func(t *testing.T, cmd *exec.Cmd) {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		cmd.Args = append(append([]string{name}, args...), append([]string{cmd.Path}, cmd.Args[1:]...)...)
		cmd.Path = path
	}
}

// shell makes a shell change itself before it becomes the command.
func shell(does string) func(*testing.T, *exec.Cmd) {
	return program("bash", "-c", does+` && exec "$@"`, "bash")
}

func environment(vars ...string) func(*testing.T, *exec.Cmd) {
	return func(_ *testing.T, cmd *exec.Cmd) { cmd.Env = append(cmd.Env, vars...) }
}

// mounts changes the file system for the command only.
func mounts(does string) func(*testing.T, *exec.Cmd) {
	return func(t *testing.T, cmd *exec.Cmd) {
		if os.Geteuid() != 0 || exec.Command("unshare", "-m", "true").Run() != nil {
			t.Skip("nothing can be mounted here")
		}
		become := cmd.SysProcAttr.Credential // set after the mount, which root makes
		cmd.SysProcAttr = nil
		program("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")(t, cmd)
		if become == nil {
			t.Skip("root is no other user here")
		}
		shell(does)(t, cmd)
		program("unshare", "-m")(t, cmd)
	}
}

// refuser is this program where the user may execute it.
const refuser = "refuser"

// refuses makes system calls fail.
func refuses(no unix.Errno, calls ...int) func(*testing.T, *exec.Cmd) {
	return func(t *testing.T, cmd *exec.Cmd) {
		text, err := json.Marshal(refusal{calls, no})
		if err != nil {
			t.Fatal(err)
		}
		own := filepath.Join(cmd.Dir, refuser)
		cmd.Env = append(cmd.Env, refusing+"="+string(text))
		cmd.Args = append([]string{own, cmd.Path}, cmd.Args[1:]...)
		cmd.Path = own
	}
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o755)
	}
	return err
}
