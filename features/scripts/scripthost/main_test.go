package scripthost

import (
	"os"
	"testing"

	"pwpipe/features/scripts/typescript"
	"pwpipe/internal/browser/reexec"
)

// TestMain: the test binary is also the sandbox and the TypeScript parser, as pwpipe is.
func TestMain(m *testing.M) {
	reexec.Run()
	typescript.RunIfAsked(os.Stdout)
	os.Exit(m.Run())
}
