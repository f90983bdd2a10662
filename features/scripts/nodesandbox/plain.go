//go:build !linux && !darwin

package nodesandbox

// confined is Node with its arguments: this platform adds nothing.
func confined(o Options, args []string) (string, []string) { return o.Node, args }

// Walls lists the walls of this system.
func Walls() []Wall {
	return []Wall{permissionModel}
}

// NetworkClosed reports whether a cell can't reach the network, not even with native
// code instead of Node.
func NetworkClosed() bool { return false }
