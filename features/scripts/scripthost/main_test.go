package scripthost

import (
	"os"
	"testing"

	"pwpipe/features/scripts/typescript"
	"pwpipe/internal/machine/cell"
)

// TestMain: the test binary is also the sandbox and the TypeScript parser, as pwpipe is.
func TestMain(m *testing.M) {
	cell.Run()
	typescript.RunIfAsked(os.Stdout)
	os.Exit(m.Run())
}
