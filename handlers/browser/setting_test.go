package browser

import "testing"

// TestSettings: features' settings do not meet, and a copy of a configuration keeps its own.
func TestSettings(t *testing.T) {
	var a, b Setting[string]
	var c Config
	if a.Of(c) != "" {
		t.Error("a setting that nobody gave has a value")
	}
	a.Set(&c, "1")
	copied := c
	a.Set(&c, "2")
	b.Set(&c, "3")
	if got := [...]string{a.Of(c), b.Of(c), a.Of(copied), b.Of(copied)}; got != [...]string{"2", "3", "1", ""} {
		t.Errorf("got %q", got)
	}
}
