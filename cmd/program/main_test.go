package program

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// AllFeatures are the features of pwpipe, which import this package: features_test.go sets them.
var AllFeatures func() []Feature

func TestMain(m *testing.M) { pipetest.Main(m) }

// whole is pwpipe with all features.
func whole() *Program { return &Program{Version: "0.1.0-dev", Features: AllFeatures()} }
