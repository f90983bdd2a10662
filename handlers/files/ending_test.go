package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLongEndings: a name whose ending is longer than a name may be is cut as others are.
func TestLongEndings(t *testing.T) {
	at, err := SavedNew(t.TempDir(), "a."+strings.Repeat("x", 300), func(made string) error { return os.WriteFile(made, []byte("text"), 0o600) })
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(at); err != nil || string(text) != "text" || len(filepath.Base(at)) > 255 {
		t.Errorf("%s holds %q, %v", at, text, err)
	}
}
