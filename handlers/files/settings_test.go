package files

import (
	"testing"

	"pwpipe/internal/shell/thin"
)

// TestSettingsName: what is closed to clients is what a start reads.
func TestSettingsName(t *testing.T) {
	if SettingsName != thin.SettingsName {
		t.Errorf("files of settings are called %s here, and are read as %s", SettingsName, thin.SettingsName)
	}
}
