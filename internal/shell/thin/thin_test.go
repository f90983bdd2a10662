package thin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRead: a word becomes what it names; after -- it stays unchanged.
func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		line, want string
		values     []int
	}{
		{"fill|e5|@" + file, "fill|e5|secret", []int{2}},
		{"fill|e5|-", "fill|e5|typed", []int{2}},
		{"fill|e5|--val=@" + file, "fill|e5|--val|secret", []int{3}},
		{"fill|e5|@@ada", "fill|e5|@ada", []int{2}},
		{"fill|e5|--|@" + file, "fill|e5|--|@" + file, []int{3}},
		{"fill|e5|--|-", "fill|e5|--|-", []int{3}},
		{"fill|e5|--|@@ada", "fill|e5|--|@@ada", []int{3}},
		{"fill|--|--x=@home|--|-q", "fill|--|--x=@home|--|-q", []int{2, 3, 4}},
	} {
		c, err := Read(strings.Split(test.line, "|"), strings.NewReader("typed\n"))
		if got := strings.Join(c.Words, "|"); err != nil || got != test.want || !slices.Equal(c.Values, test.values) || c.Quiet {
			t.Errorf("%s: %s, values %v, %v", test.line, got, c.Values, err)
		}
	}
	if !ForService([]string{"fill", "e5", "--", "--help"}) || ForService([]string{"fill", "--help"}) {
		t.Error("--help behind a --")
	}
}

// TestVisible: a terminal gets no control characters.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\nç€":         "a\tb\nç€",
		"\x1b]52;c;eA==\a": `\x1b]52;c;eA==\x07`,
		"a\rb\x00\x7f":     `a\x0db\x00\x7f`,
		"\u009b2J\x9b2J":   `\x9b2J\x9b2J`,
		"\xff":             "\xff",
	} {
		if got := string(Visible([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
