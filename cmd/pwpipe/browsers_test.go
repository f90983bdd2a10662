package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBrowsersThatFit: auto is a core and a GiB each, as far as the system tells.
func TestBrowsersThatFit(t *testing.T) {
	for _, c := range []struct {
		info, limit string
		cores, want int
	}{
		{"MemFree: 1 kB\nMemTotal:       16384000 kB\n", "max\n", 4, 4},
		{"MemTotal: 16384000 kB\n", "3221225472\n", 8, 3},
		{"MemTotal: 2097152 kB\n", "", 8, 2},
		{"MemTotal: 500000 kB\n", "", 8, 1},
		{"", "", 6, 6},
		{"", "1073741824", 6, 1},
	} {
		dir := t.TempDir()
		info, limit := filepath.Join(dir, "info"), filepath.Join(dir, "limit")
		for file, text := range map[string]string{info: c.info, limit: c.limit} {
			if text == "" {
				continue
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := fitting(c.cores, memory(info, limit)); got != c.want {
			t.Errorf("%d cores, %q, %q: %d browsers, want %d", c.cores, c.info, c.limit, got, c.want)
		}
	}
}
