// Package self finds the running program's own file, so that it can be started again
// as another program (package reexec).
package self

import "os"

// Program is a path under which the program that runs can be started, by us and by
// processes of ours. On Linux that holds when its file was replaced or removed since,
// as an upgrade does; elsewhere it is what lies at the path by then.
func Program() (string, error) {
	if path := running(); path != "" {
		return path, nil
	}
	return os.Executable()
}

// ForFork is a path under which a child that this process forks can execute the program,
// also in namespaces of its own: from a new user namespace the links of other processes
// can't be followed. On Linux it is the child's own link, /proc/self/exe.
func ForFork() (string, error) {
	if _, err := os.Stat(forked); forked != "" && err == nil {
		return forked, nil
	}
	return os.Executable()
}
