//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestInstallIsBounded: a project's file that is a pipe, leads to the user's own file or would
// exhaust the stack is refused, and everything stays as it was.
func TestInstallIsBounded(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, "project", ".cursor", "mcp.json")
	writeFile(t, file, strings.Repeat("[", 3_000_000))
	if got := runInstall(t, home, 2, "--for", "cursor"); !strings.Contains(got, "nested deeper") {
		t.Errorf("brackets: %.300s", got)
	}
	own := filepath.Join(home, ".cursor", "mcp.json")
	writeFile(t, own, "{}")
	for name, place := range map[string]func() error{
		"pipe":   func() error { return syscall.Mkfifo(file, 0o600) },
		"link":   func() error { return os.Symlink(own, file) },
		"folder": func() error { return os.Symlink(filepath.Dir(own), filepath.Dir(file)) },
		"other":  func() error { return os.Symlink(filepath.Join(home, "new.json"), file) },
	} {
		if err := os.RemoveAll(filepath.Dir(file)); err != nil {
			t.Fatal(err)
		}
		if name != "folder" {
			if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := place(); err != nil {
			t.Skip(err)
		}
		if got := runInstall(t, home, 2, "--for", "cursor"); !strings.Contains(got, "is left as it was") {
			t.Errorf("%s: %s", name, got)
		}
		if text := readText(t, own); text != "{}" {
			t.Errorf("%s: the user's own file is now %s", name, text)
		}
	}
	if _, err := os.Lstat(filepath.Join(home, "new.json")); err == nil {
		t.Error("a file was made outside of the project")
	}
}

// TestInstallByRoot: what root adds for a user stays the user's.
func TestInstallByRoot(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	home := t.TempDir()
	const user = 54321
	kept := filepath.Join(home, ".claude.json")
	writeFile(t, kept, "{}")
	for _, path := range []string{home, kept} {
		if err := os.Chown(path, user, user); err != nil {
			t.Skip(err)
		}
	}
	runInstall(t, home, 0, "--for", "claude-code", "--user")
	runInstall(t, home, 0, "--for", "cursor", "--user")
	for _, path := range []string{kept, filepath.Join(home, ".cursor"), filepath.Join(home, ".cursor", "mcp.json")} {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if of := info.Sys().(*syscall.Stat_t).Uid; of != user {
			t.Errorf("%s is user %d's", path, of)
		}
	}
}

// TestConfigIsRegular: files of settings, secrets and configuration are regular files.
func TestConfigIsRegular(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"--secrets", pipe}, {"--logins", pipe}, {"--init-script", pipe}, {"mcp", "--config", pipe}, {"mcp", "--secrets", pipe}} {
		if _, stderr, status := pipetest.Run(t, "", args...); status == 0 || !strings.Contains(stderr, "not a regular file") {
			t.Errorf("%v: %d, %s", args, status, stderr)
		}
	}
}
