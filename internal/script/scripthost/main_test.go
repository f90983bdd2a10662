package scripthost

import (
	"os"
	"testing"

	"pwpipe/internal/script/typescript"
)

// TestMain: the test binary is also the TypeScript parser, as pwpipe is.
func TestMain(m *testing.M) {
	typescript.RunIfAsked()
	os.Exit(m.Run())
}
