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

// Conditions are what a finding depends on besides the browser itself: who we
// are, the kernel and its settings, the container. A finding holds for as long
// as they are the same.
func Conditions(browser string) string {
	var u unix.Utsname
	_ = unix.Uname(&u)
	own, _ := os.Readlink("/proc/self/ns/user")
	list := []string{
		fmt.Sprint("uid ", os.Geteuid(), " gid ", os.Getegid()),
		"kernel " + unix.ByteSliceToString(u.Release[:]),
		// The first user namespace has this number on every Linux; others have
		// one of their own each, which says nothing.
		fmt.Sprint("first namespace ", own == "user:[4026531837]"),
		"seccomp " + statusLine("self", "Seccomp"), "capabilities " + statusLine("self", "CapEff"),
		// Of a seccomp profile nothing can be read but that there is one.
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

// namespaces reports whether we may make a user namespace: a program that is
// not there is started in one. It is not found, unless the namespace could not
// be made.
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

// stamp changes with a file, and is "" where there is none.
func stamp(path string) string {
	st, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(st.Mode(), st.Size(), st.ModTime().UnixNano())
}
