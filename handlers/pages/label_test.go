package pages

import (
	"regexp"
	"strings"
	"testing"
)

// TestLabels: labels and handles are told as these expressions do.
func TestLabels(t *testing.T) {
	label := regexp.MustCompile(`^\pL[\pL\pN_-]{0,39}$`)
	handle := regexp.MustCompile(`^(?i:[pc])\pN+$`)
	for _, text := range []string{"", "a", "login", "ä1", "1a", "-a", "a-b_c2", "a b", "a\n", "p1", "P12", "c٣", "pp1", "p", "p1a",
		"x1", "a\xff", "\xff", "日本語", strings.Repeat("é", 40), strings.Repeat("é", 41), "a²"} {
		if got, want := isLabel(text), label.MatchString(text); got != want {
			t.Errorf("%q is a label: %v, want %v", text, got, want)
		}
		if got, want := isHandle(text), handle.MatchString(text); got != want {
			t.Errorf("%q is a handle: %v, want %v", text, got, want)
		}
	}
}
