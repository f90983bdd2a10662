package nodesandbox

import "testing"

// WithoutNamespaces starts cells as on a system without namespaces.
func WithoutNamespaces(t *testing.T) {
	old := namespaces
	namespaces = []uintptr{0}
	t.Cleanup(func() { namespaces = old })
}

// WithoutLandlock starts cells as on a system without Landlock.
func WithoutLandlock(t *testing.T) {
	old := landlockABI
	landlockABI = func() int { return 0 }
	t.Cleanup(func() { landlockABI = old })
}
