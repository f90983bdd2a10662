package devtools_test

import (
	"strings"
	"testing"

	"pwpipe/features/devtools"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/launch"
)

// TestOnlyChromiumHasTheseTools: other browsers have no DevTools, which the
// error says before they are asked.
func TestOnlyChromiumHasTheseTools(t *testing.T) {
	p := &browser.Page{Engine: &browser.Engine{Run: &launch.Run{}}}
	if _, err := devtools.Inspector(p); err == nil || !strings.Contains(err.Error(), "these tools work in Chromium only") {
		t.Errorf("got %v", err)
	}
}
