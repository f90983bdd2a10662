package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

const aPage = "data:text/html,<h1>up"

// sandboxed starts a pwpipe as a normal user. It skips the test if this system
// has no sandbox for it.
func sandboxed(t *testing.T, u *pipetest.User, args ...string) *pipetest.Pipe {
	t.Helper()
	asked := []string{"doctor"}
	if len(args) > 0 && args[0] == "--browser" {
		asked = append(asked, args[:2]...)
	}
	out, err := u.Command(asked...).CombinedOutput()
	if err != nil {
		t.Fatalf("doctor: %v\n%s", err, out)
	}
	line := "no line about it"
	for l := range strings.Lines(string(out)) {
		if strings.HasPrefix(l, "sandbox ") {
			line = strings.Join(strings.Fields(l), " ")
		}
	}
	if !strings.HasPrefix(line, "sandbox ok") {
		t.Skip("no sandbox for Chromium here:", line)
	}
	return pipetest.StartCmd(t, u.Command(args...))
}

// status is a line of /proc/PID/status.
func status(t *testing.T, pid int, name string) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// confined checks what the kernel reports about the page's process.
func confined(t *testing.T, p *pipetest.Pipe) {
	t.Helper()
	for _, pid := range pipetest.Processes(t, p.Cmd.Process.Pid, "--type=renderer", "") {
		if got := status(t, pid, "Seccomp"); got != "2" {
			t.Errorf("Seccomp of the page's process: %s, want 2", got)
		}
		if names := strings.Fields(status(t, pid, "NSpid")); len(names) < 2 {
			t.Errorf("the page's process is in our process namespace: %v", names)
		}
		theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/user", pid))
		if ours, _ := os.Readlink("/proc/self/ns/user"); err == nil && theirs == ours { // only root can read it
			t.Errorf("the page's process is in our user namespace, %s", ours)
		}
	}
}

// TestSandbox: a normal user's Chromium runs with its own sandbox, both the
// fetched one and the system's.
func TestSandbox(t *testing.T) {
	t.Parallel()
	u := pipetest.NormalUser(t)
	browsers := map[string][]string{"fetched": nil}
	if pipetest.Thorough() {
		browsers["fetched, kept profile"] = []string{"--user-data-dir", filepath.Join(u.Home, "profile")}
		if path, err := exec.LookPath("chromium"); err == nil {
			browsers["system"] = []string{"--browser", path}
		}
	}
	for name, args := range browsers {
		t.Run(name, func(t *testing.T) {
			p := sandboxed(t, u, args...)
			p.Call("nav", []any{aPage})
			confined(t, p)
		})
	}
	t.Run("off", func(t *testing.T) {
		pipetest.InCI(t, "it is a start more")
		p := pipetest.StartCmd(t, u.Command("--browser-sandbox", "off"))
		p.Call("nav", []any{aPage})
		for _, pid := range pipetest.Processes(t, p.Cmd.Process.Pid, "--type=renderer", "") {
			if got := status(t, pid, "Seccomp"); got != status(t, os.Getpid(), "Seccomp") {
				t.Errorf("Seccomp of the page's process: %s", got)
			}
		}
	})
}

// wrapped is a browser that logs its starts to a file beside it. Its sandbox
// fails once a file named broken exists.
func wrapped(t *testing.T, u *pipetest.User) (browser string, starts func() int) {
	t.Helper()
	real, _ := filepath.Glob(filepath.Join(u.Cache, "chromium-*", "chromium"))
	if len(real) != 1 {
		t.Skip("needs the browser that pwpipe fetches")
	}
	browser = filepath.Join(u.Home, "browser")
	script := fmt.Sprintf(`#!/bin/sh
echo "$*" >> %[1]s/starts
case "$*" in *--no-sandbox*) ;; *) if [ -e %[1]s/broken ]; then echo "No usable sandbox!" >&2; exit 1; fi ;; esac
export LD_LIBRARY_PATH=%[2]s/lib:%[2]s/lib-sqlite FONTCONFIG_FILE=%[2]s/fonts.conf
exec %[2]s/chromium "$@"
`, u.Home, filepath.Dir(real[0]))
	if err := os.WriteFile(browser, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return browser, func() int {
		text, _ := os.ReadFile(filepath.Join(u.Home, "starts"))
		_ = os.Remove(filepath.Join(u.Home, "starts"))
		return strings.Count(string(text), "--headless")
	}
}

// logged waits for a text on stderr, which may come after the reply.
func logged(t *testing.T, p *pipetest.Pipe, text string) {
	t.Helper()
	pipetest.Eventually(t, "the log has "+text, func() bool { return strings.Contains(p.Stderr(), text) })
}

// TestSandboxRemembered: whether the sandbox works is found out once. If the
// answer is outdated, it is found out again, unnoticed by the request.
func TestSandboxRemembered(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSandboxAsRoot is quick")
	t.Parallel()
	u := pipetest.NormalUser(t)
	browser, starts := wrapped(t, u)
	visit := func() *pipetest.Pipe {
		p := pipetest.StartCmd(t, u.Command("--browser", browser, "--log-level", "info"))
		p.Call("nav", []any{aPage})
		return p
	}
	p := visit()
	logged(t, p, "sandbox=")
	if !strings.Contains(p.Stderr(), "sandbox=true") {
		t.Skip("no sandbox for Chromium here:", p.Stderr())
	}
	if n := starts(); n != 2 {
		t.Errorf("the first run started the browser %d times, want 2: to find out, and to use", n)
	}
	confined(t, visit())
	if n := starts(); n != 1 {
		t.Errorf("a later run started the browser %d times, want 1", n)
	}
	if err := os.WriteFile(filepath.Join(u.Home, "broken"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p = visit()
	logged(t, p, "sandbox=false")
	starts()
	visit()
	if n := starts(); n != 1 {
		t.Errorf("with a no remembered the browser was started %d times, want 1", n)
	}
}

// capSysResource is the right to set limits of a namespace.
const capSysResource = 24

// withoutNamespaces is a command of the user that runs where no user namespaces can be made.
func withoutNamespaces(u *pipetest.User, args ...string) *exec.Cmd {
	cmd := u.Command(args...)
	inside := exec.Command("/bin/sh", append([]string{"-c",
		`echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"`, "sh", cmd.Path}, args...)...)
	inside.Dir, inside.Env = cmd.Dir, cmd.Env
	ids := []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: 1<<16 - 1}}
	groups := ids
	if u.Become == nil {
		ids = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		groups = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	inside.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: ids, GidMappings: groups,
		GidMappingsEnableSetgroups: u.Become != nil, Credential: u.Become, AmbientCaps: []uintptr{capSysResource}}
	return inside
}

// TestSandboxMissing: without user namespaces, auto runs without a sandbox,
// "on" refuses to run, and doctor says what is missing.
func TestSandboxMissing(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSandboxAsRoot is quick")
	t.Parallel()
	u := pipetest.NormalUser(t)
	if out, err := withoutNamespaces(u, "--version").CombinedOutput(); err != nil {
		t.Skipf("no user namespace to take user namespaces away in: %v %s", err, out)
	}
	p := pipetest.StartCmd(t, withoutNamespaces(u, "--log-level", "info"))
	p.Call("nav", []any{aPage})
	logged(t, p, "sandbox=false")
	const why = "user.max_user_namespaces is 0"
	out, err := withoutNamespaces(u, "--browser-sandbox", "on").CombinedOutput()
	if err == nil || !strings.HasPrefix(string(out), "pwpipe: --browser-sandbox on: ") || !strings.Contains(string(out), why) || !strings.Contains(string(out), "sysctl -w") {
		t.Errorf("on: %v, %s", err, out)
	}
	out, err = withoutNamespaces(u, "doctor").CombinedOutput()
	if err != nil || !regexp.MustCompile(`sandbox +note`).Match(out) || !strings.Contains(string(out), why) || !strings.Contains(string(out), "mend it: sysctl -w") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	out, err = withoutNamespaces(u, "doctor", "--browser-sandbox", "on").CombinedOutput()
	if err == nil || !regexp.MustCompile(`sandbox +broken`).Match(out) {
		t.Errorf("doctor where it must be on: %v\n%s", err, out)
	}
}

// TestSandboxAsRoot: Chromium has no sandbox for root. So every command refuses
// "on" before it starts anything, and doctor says so.
func TestSandboxAsRoot(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	const why = "Chromium refuses its sandbox to root"
	for _, args := range [][]string{{}, {"serve", "--addr", "127.0.0.1:0"}, {"run", "/dev/null"}} {
		stdout, stderr, code := pipetest.Run(t, `{"id":1,"method":"url"}`, append(args, "--browser-sandbox", "on")...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, why+"; run pwpipe as another user") {
			t.Errorf("%v: status %d, %q, %q", args, code, stdout, stderr)
		}
	}
	stdout, _, _ := pipetest.Run(t, "", "doctor")
	if !strings.Contains(stdout, why) || !strings.Contains(stdout, "mend it: run pwpipe as another user") {
		t.Errorf("doctor: %s", stdout)
	}
}
