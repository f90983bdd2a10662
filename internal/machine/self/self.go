// Package self finds the running program's own file, so that it can be started again
// as another program (package reexec).
package self

import "os"

// Program is a path under which we and our processes can start the running program
// again. On Linux it also works after the file was replaced or removed, as by an
// upgrade; elsewhere it is the file that is at the path then.
func Program() (string, error) {
	if path := running(); path != "" {
		return path, nil
	}
	return os.Executable()
}

// ForFork is a path under which a forked child can execute the program, also in
// namespaces of its own: from a new user namespace the links of other processes can't
// be followed. On Linux it is the child's own link, /proc/self/exe.
func ForFork() (string, error) {
	if _, err := os.Stat(forked); forked != "" && err == nil {
		return forked, nil
	}
	return os.Executable()
}
