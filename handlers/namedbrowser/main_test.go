package namedbrowser_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// Short names for steps of tests.
var (
	list = pipetest.List
)
