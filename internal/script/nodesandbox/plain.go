//go:build !linux && !darwin

package nodesandbox

// confined is Node with its arguments: nothing of the platform's is around it.
func confined(o Options, args []string) (string, []string) { return o.Node, args }

// Walls says which walls stand here.
func Walls() []Wall {
	return []Wall{{Name: "permission model", Stands: true, Worth: worthPermission}}
}

// NetworkClosed reports whether what runs in a cell can't reach the network, not
// with code of its own in Node's place either.
func NetworkClosed() bool { return false }
