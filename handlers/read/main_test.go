package read_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// Short names for steps of tests.
var (
	does = pipetest.Does
	list = pipetest.List
)
