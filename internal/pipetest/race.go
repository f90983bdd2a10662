//go:build race

package pipetest

import "testing"

// Race reports whether tests run under the race detector.
const Race = true

// SkipUnderRace skips a test whose subject is a text, a page or a command line. Its
// requests follow one another, so the race detector finds nothing there that it does not
// find elsewhere, and CI runs the test without it.
func SkipUnderRace(t testing.TB) {
	t.Helper()
	t.Skip("the same test runs without the race detector")
}
