package eachtool_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLongReadsOfOneRequest: a request with more long reads than there are places for hears so. It
// does not wait for itself, and its places are free again.
func TestLongReadsOfOneRequest(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript reads is quick")
	site := readable(t)
	s := pipetest.StartService(t)
	member := func(n int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"read","params":{"url":"%s/long"}}`, n, site)
	}
	for range 2 {
		_, text, _ := s.Do("POST", "/rpc", "["+strings.Join([]string{member(1), member(2), member(3)}, ",")+"]")
		if answered, refused := strings.Count(text, `"result":`), strings.Count(text, "the most at a time"); answered != 2 || refused != 1 {
			t.Errorf("%d answered, %d refused", answered, refused)
		}
	}
}
