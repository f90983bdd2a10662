// Package self finds the running program's own file, so that it can be started again
// as another program (package hop).
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
