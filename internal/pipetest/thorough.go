package pipetest

import (
	"os"
	"testing"
)

// Thorough reports whether every test, and every case of the long lists, is to be
// tried: PWPIPE_TEST_ALL is set, as CI sets it.
func Thorough() bool { return os.Getenv("PWPIPE_TEST_ALL") != "" }

// InCI leaves a slow test to CI, where a faster test covers the same core: whoever
// runs the tests waits minutes. why names the shorter one, or what else
// speaks for it.
func InCI(t testing.TB, why string) {
	t.Helper()
	if !Thorough() {
		t.Skipf("PWPIPE_TEST_ALL=1 runs this, as CI does: %s", why)
	}
}

// Some are all cases of a list where Thorough, else every n-th, the first among
// them: for lists in which each case goes much the same way through a browser, so
// that who runs the tests waits minutes and CI tries all.
func Some[T any](list []T, n int) []T {
	if Thorough() {
		return list
	}
	var some []T
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}
