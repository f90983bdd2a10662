//go:build unix

package logins

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/text/secrets"
)

// TestRefusedFile: the file names programs to run, so what somebody else may have written is not
// read: by the same reader as files of keys and settings.
func TestRefusedFile(t *testing.T) {
	refused := func(name, want string, make func(path string) error) {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, secrets.NewStore(nil)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	text := []byte("[shop]\norigin = \"https://shop.example\"\n")
	refused("pipe", "not a regular file", func(path string) error { return syscall.Mkfifo(path, 0o600) })
	refused("open", "others may write it, so it is not read", func(path string) error {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return err
		}
		return os.Chmod(path, 0o660)
	})
	refused("deep", "nested deeper", func(path string) error {
		return os.WriteFile(path, []byte("a = "+strings.Repeat("[", 5000)), 0o600)
	})
	if os.Geteuid() != 0 {
		return // only root gives files away
	}
	refused("foreign", "another user's file", func(path string) error {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return err
		}
		return os.Chown(path, 4321, -1)
	})
}
