// Package extension tests tabs that a person lends with pwpipe's extension, with the real
// binary and a whole Chromium that loads the extension.
package extension

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }
