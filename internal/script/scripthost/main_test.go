package scripthost

import (
	"os"
	"testing"

	"pwpipe/internal/script/typescript"
)

// TestMain: the test binary is the parser of TypeScript too, as pwpipe is.
func TestMain(m *testing.M) {
	typescript.RunIfAsked()
	os.Exit(m.Run())
}
