package handlers

import (
	"strings"
	"testing"
)

// TestOnlyChromiumHasTheseTools: other browsers have no DevTools, which is said
// before anything is asked of them.
func TestOnlyChromiumHasTheseTools(t *testing.T) {
	p := &page{engine: &engine{run: &run{}}}
	if _, err := p.inspector(); err == nil || !strings.Contains(err.Error(), "only Chromium has these tools") {
		t.Errorf("got %v", err)
	}
}
