package program

import (
	"strings"
	"testing"
)

// TestHowInstalled: pwpipe knows from its folder how it was installed.
func TestHowInstalled(t *testing.T) {
	for path, want := range map[string]string{
		"/opt/homebrew/Cellar/pwpipe/1.2.3/bin/pwpipe":      "brew upgrade",
		`C:\Users\ann\scoop\apps\pwpipe\current\pwpipe.exe`: "scoop update",
		"/usr/bin/pwpipe":  "deb or rpm",
		"/home/ann/pwpipe": "replace this file",
	} {
		if got := howInstalled("", path); !strings.Contains(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
}
