// Package guard_test tests that a browser stays within the policy, with the
// real binary and a real browser.
package guard_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// listed are the options that most tests of a domain list share, and with them a process.
var listed = []string{"--allowed-domains", "127.0.0.1,nowhere.invalid", "--log-level", "info"}

func TestMain(m *testing.M) { pipetest.Main(m) }
