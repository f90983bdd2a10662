// Package eachtool_test tries the tools of several topics, which share one pwpipe and one browser
// for most of them: a binary and a browser for each topic takes longer than its tests. The files
// begin with the name of the topic's folder in handlers.
package eachtool_test

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
