// Package reach tests the clipboard, finding text, pasting, long waits and
// attaching, with the real binary and a real browser.
package reach

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }
