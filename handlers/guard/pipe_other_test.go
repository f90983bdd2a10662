//go:build !unix

package guard_test

import "testing"

func makePipe(t *testing.T, _ string) { t.Skip("there are no named pipes") }
