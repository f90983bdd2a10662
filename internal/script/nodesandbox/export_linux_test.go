package nodesandbox

import "testing"

// WithoutNamespaces has cells started as where there are none.
func WithoutNamespaces(t *testing.T) {
	old := namespaces
	namespaces = []uintptr{0}
	t.Cleanup(func() { namespaces = old })
}

// WithoutLandlock has cells started as where there is none.
func WithoutLandlock(t *testing.T) {
	old := landlockABI
	landlockABI = func() int { return 0 }
	t.Cleanup(func() { landlockABI = old })
}
