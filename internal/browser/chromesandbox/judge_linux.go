package chromesandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// judge checks the kernel's data on the page processes: a seccomp filter, and a process
// namespace that is not ours. Both exist only with the sandbox.
func judge(pids []int) Finding {
	if len(pids) == 0 {
		return Finding{Why: "the browser has no process for its page"}
	}
	ours := len(strings.Fields(statusLine("self", "NSpid")))
	for _, pid := range pids {
		at := fmt.Sprint(pid)
		if filter := statusLine(at, "Seccomp"); filter != "2" {
			return Finding{Why: fmt.Sprintf("the browser started, but its page's process has no system call filter (Seccomp: %s)", filter), Fix: fixBrowser}
		}
		if len(strings.Fields(statusLine(at, "NSpid"))) <= ours {
			return Finding{Why: "the browser started, but its page's process sees the other processes", Fix: fixBrowser}
		}
	}
	return Finding{On: true}
}

// statusLine is a line of /proc/PID/status, "" where there is none.
func statusLine(pid, name string) string {
	text, _ := os.ReadFile("/proc/" + pid + "/status")
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Remedies for what keeps the sandbox off.
const (
	fixRoot    = "run pwpipe as another user than root"
	fixBrowser = "use another build with `--browser PATH`, such as the system's own Chromium"
	fixSeccomp = "run the container with `--security-opt seccomp=deploy/seccomp.json`"
	fixFolder  = "put the browser where this user may go: PWPIPE_CACHE=/path/to/folder"
)

// refusedToUs: Chromium does not even try as root.
func refusedToUs() *Finding {
	if os.Geteuid() != 0 {
		return nil
	}
	return &Finding{Why: "Chromium refuses its sandbox to root", Fix: fixRoot}
}

// explain makes a finding of the output of a browser that did not start; ok is false if
// it gives no reason.
func explain(said string) (f Finding, ok bool) {
	switch {
	case strings.Contains(said, "Running as root"):
		return Finding{Why: "Chromium refuses its sandbox to root", Fix: fixRoot}, true
	case strings.Contains(said, "No usable sandbox"):
		return noNamespaces(), true
	case strings.Contains(said, "zygote_host_impl") && strings.Contains(said, "Permission denied"):
		// Chromium restarts itself without any right beyond the user's own, such as
		// root's right to enter every folder.
		return Finding{Why: "the browser is in a folder that this user can't enter by its own rights", Fix: fixFolder}, true
	}
	return f, false
}

// noNamespaces says why there are no user namespaces for the sandbox.
func noNamespaces() Finding {
	const none = "user namespaces are not to be had here: "
	switch {
	case setting("kernel/unprivileged_userns_clone") == "0":
		return Finding{Why: none + "kernel.unprivileged_userns_clone is 0", Fix: "sysctl -w kernel.unprivileged_userns_clone=1"}
	case setting("user/max_user_namespaces") == "0":
		return Finding{Why: none + "user.max_user_namespaces is 0", Fix: "sysctl -w user.max_user_namespaces=10000"}
	case statusLine("self", "Seccomp") == "2":
		return Finding{Why: none + "a seccomp profile forbids them, as Docker's own does", Fix: fixSeccomp}
	case setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
		return Finding{Why: none + "AppArmor keeps them for programs with a profile",
			Fix: "use a browser that has a profile (`--browser chrome`), or `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"}
	}
	return Finding{Why: none + "the kernel or the container forbids them", Fix: fixSeccomp}
}

// setting is a kernel setting, "" if this kernel does not have it.
func setting(name string) string {
	text, _ := os.ReadFile("/proc/sys/" + name)
	return strings.TrimSpace(string(text))
}

// lastWords is the most informative line of a browser's output.
func lastWords(said string) string {
	best := ""
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && (best == "" || strings.Contains(line, "FATAL") || strings.Contains(line, "error")) {
			best = line
		}
	}
	if len(best) > 300 {
		best = strings.ToValidUTF8(best[:300], "") + "..."
	}
	return best
}

// Conditions are what a finding depends on besides the browser itself: the user, the
// kernel and its settings, the container. A finding is valid while they stay the same.
func Conditions(browser string) string {
	var u unix.Utsname
	_ = unix.Uname(&u)
	own, _ := os.Readlink("/proc/self/ns/user")
	list := []string{
		fmt.Sprint("uid ", os.Geteuid(), " gid ", os.Getegid()),
		"kernel " + unix.ByteSliceToString(u.Release[:]),
		// The first user namespace has this number on every Linux. Others have
		// arbitrary numbers.
		fmt.Sprint("first namespace ", own == "user:[4026531837]"),
		"seccomp " + statusLine("self", "Seccomp"), "capabilities " + statusLine("self", "CapEff"),
		// Only the existence of a seccomp profile can be read.
		fmt.Sprint("namespaces ", namespaces()),
		"container " + strings.Join(containerMarks(), " "),
		"helper " + stamp(filepath.Join(filepath.Dir(browser), "chrome-sandbox")),
	}
	for _, name := range []string{"kernel/unprivileged_userns_clone", "kernel/apparmor_restrict_unprivileged_userns", "user/max_user_namespaces"} {
		list = append(list, name+" "+setting(name))
	}
	label, _ := os.ReadFile("/proc/self/attr/current")
	return strings.Join(append(list, "label "+strings.TrimRight(string(label), "\x00\n")), "\n")
}

// namespaces reports whether we may make a user namespace. It starts a missing program
// in one: the error is "not found" unless the namespace failed.
func namespaces() bool {
	_, err := syscall.ForkExec("/nonexistent/pwpipe", nil, &syscall.ProcAttr{Sys: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}})
	return errors.Is(err, syscall.ENOENT)
}

func containerMarks() (marks []string) {
	for _, name := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(name); err == nil {
			marks = append(marks, name)
		}
	}
	return marks
}

// stamp changes with a file; "" if it is missing.
func stamp(path string) string {
	st, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(st.Mode(), st.Size(), st.ModTime().UnixNano())
}
