package nodesandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sandboxExec is macOS's own: deprecated for years, but browsers, package managers and
// agents confine their processes with it. We have not run it yet.
const sandboxExec = "/usr/bin/sandbox-exec"

// profile is what the process may do. Paths are parameters, so that none is taken for a
// part of the profile. Metadata of all files can be read: the loader, and Node when it
// searches modules, walk down from the root.
const profile = `(version 1)
(deny default)
(import "system.sb")
(deny network*)
(deny process-fork)
(allow process-exec (literal (param "NODE")))
(allow signal (target self))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read* (subpath "/usr/lib") (subpath "/System") (subpath "/usr/share/zoneinfo") (subpath "/private/var/db/timezone")
  (subpath "/opt/homebrew") (subpath "/usr/local") (subpath (param "PREFIX")) (literal "/dev/urandom") (literal "/dev/null"))
(allow file-write* (literal "/dev/null"))
(allow file-read* file-write* (subpath (param "SCRATCH")))
`

// confined is Node with its arguments, started by sandbox-exec.
func confined(o Options, args []string) (string, []string) {
	node, err := filepath.EvalSymlinks(o.Node)
	if err != nil || !seatbelt() {
		return o.Node, args
	}
	scratch, err := filepath.EvalSymlinks(o.Scratch) // /var is a link there
	if err != nil {
		return o.Node, args
	}
	own := []string{"-D", "NODE=" + node, "-D", "PREFIX=" + filepath.Dir(filepath.Dir(node)), "-D", "SCRATCH=" + scratch}
	var reads strings.Builder
	for i, path := range o.Read {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			own = append(own, "-D", fmt.Sprintf("READ%d=%s", i, real))
			fmt.Fprintf(&reads, "(allow file-read* (subpath (param \"READ%d\")))\n", i)
		}
	}
	own = append(own, "-p", profile+reads.String(), node)
	return sandboxExec, append(own, args...)
}

func seatbelt() bool {
	_, err := os.Stat(sandboxExec)
	return err == nil
}

// Walls lists the walls of this system.
func Walls() []Wall {
	belt := Wall{Name: "sandbox-exec", Stands: seatbelt()}
	if !belt.Stands {
		belt.Why = sandboxExec + " is not there"
	}
	return []Wall{belt, permissionModel}
}

// NetworkClosed reports whether a cell can't reach the network, not even with native
// code instead of Node.
func NetworkClosed() bool { return seatbelt() }
