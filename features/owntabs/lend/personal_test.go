package lend

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestDevToolsOf: each name finds the port in each folder where its browser keeps profiles, of
// several the one that was written last, and without one says where it looked and what to do.
func TestDevToolsOf(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are those of Linux")
	}
	names := Personal()
	if len(names) != len(personal) || len(names) < 7 {
		t.Fatal(names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			config := filepath.Join(home, "config")
			t.Setenv("HOME", home)
			t.Setenv("XDG_CONFIG_HOME", config)
			b := personal[name]
			folders := []string{filepath.Join(config, b.linux)}
			for _, other := range b.others {
				folders = append(folders, filepath.Join(home, other))
			}
			_, err := DevToolsOf(name)
			for _, part := range append(folders, b.title, "chrome://inspect/#remote-debugging", "--remote-debugging-port") {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Fatalf("%v lacks %s", err, part)
				}
			}
			for i, dir := range folders { // each is newer than the one before
				if err := os.MkdirAll(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				port, file := "922"+string(rune('0'+i)), filepath.Join(dir, activePort)
				if err := os.WriteFile(file, []byte(port+"\n/devtools/browser/a-1"), 0o600); err != nil {
					t.Fatal(err)
				}
				at := time.Now().Add(time.Duration(i) * time.Minute)
				if err := os.Chtimes(file, at, at); err != nil {
					t.Fatal(err)
				}
				want := "ws://127.0.0.1:" + port + "/devtools/browser/a-1"
				for _, form := range []string{name, name + ":" + dir} {
					if got, err := DevToolsOf(form); got != want || err != nil {
						t.Errorf("%s: %s, %v; expected %s", form, got, err, want)
					}
				}
			}
			if _, err := DevToolsOf(name + ":Default"); err == nil || !strings.Contains(err.Error(), "whole path") {
				t.Errorf("a profile without its path: %v", err)
			}
		})
	}
}
