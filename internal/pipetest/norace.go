//go:build !race

package pipetest

import "testing"

// Race reports whether tests run under the race detector.
const Race = false

// SkipUnderRace does nothing without the race detector.
func SkipUnderRace(testing.TB) {}
