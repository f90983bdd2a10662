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
