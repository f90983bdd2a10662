package namedbrowser_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// Tests of steps are short words.
var (
	list = pipetest.List
)
