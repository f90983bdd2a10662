package pipetest

import (
	"os"
	"testing"
)

// Thorough reports whether to run every test, and every case of the long lists:
// PWPIPE_TEST_ALL is set, as in CI.
func Thorough() bool { return os.Getenv("PWPIPE_TEST_ALL") != "" }

// InCI runs a slow test only in CI, if a faster test covers the same core. why names
// that test, or another reason.
func InCI(t testing.TB, why string) {
	t.Helper()
	if !Thorough() {
		t.Skipf("PWPIPE_TEST_ALL=1 runs this, as CI does: %s", why)
	}
}

// Some are all cases of a list if Thorough, else every n-th, beginning with the first.
// It is for lists in which all cases take much the same way through a browser, so that
// a local run takes minutes and CI tries all.
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
