// Package guard_test tests what keeps a browser where it belongs, over the real
// binary and a real browser.
package guard_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// listed are the options of the pwpipe that most tests of a list share.
var listed = []string{"--allowed-domains", "127.0.0.1,nowhere.invalid"}

func TestMain(m *testing.M) { pipetest.Main(m) }
