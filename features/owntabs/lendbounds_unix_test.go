//go:build unix

package owntabs

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pwpipe/features/owntabs/lend"
	"pwpipe/internal/shell/thin"
)

// TestLongLending: what the person's command says has a bound.
func TestLongLending(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	if err := os.Chmod(os.Getenv("XDG_RUNTIME_DIR"), 0o700); err != nil {
		t.Fatal(err)
	}
	done, err := listenToPerson(&lend.Lender{}, "chrome", func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	at := thin.Place{Dir: filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "pwpipe"), Name: lendPrefix + strconv.Itoa(os.Getpid())}
	err = askLender(at, "POST", "/lend", lending{Tab: strings.Repeat("x", longestLending)}, nil)
	if err == nil || !strings.Contains(err.Error(), "too large") {
		t.Error(err)
	}
}
