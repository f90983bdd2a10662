// Package guard tests what keeps a browser where it belongs, over the real
// binary and a real browser.
package guard

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }
