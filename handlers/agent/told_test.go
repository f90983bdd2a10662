package agent_test

import (
	"regexp"
	"testing"
)

// pick is what the first group of a pattern matches in a text.
func pick(t *testing.T, text, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %s in:\n%s", pattern, text)
	}
	return m[1]
}
