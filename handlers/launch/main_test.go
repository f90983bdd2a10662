package launch

import (
	"os"
	"testing"

	"pwpipe/internal/browser/reexec"
)

// TestMain: the test binary is also the driver, as pwpipe is.
func TestMain(m *testing.M) {
	reexec.Run()
	os.Exit(m.Run())
}
