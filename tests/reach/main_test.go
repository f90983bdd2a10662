// Package reach tests browsers of others, to which pwpipe attaches, and browsers of a
// Selenium Grid, with the real binary.
package reach

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }
