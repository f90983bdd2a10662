package guard_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPrivateFiles: what has cookies, or what was typed, is readable by this user alone, also
// where it replaces a file that others could read.
func TestPrivateFiles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	p, dir := pipetest.SharedIn(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"old-state.json", "old-log.ndjson", "old-trace.zip"} {
		if err := os.WriteFile(at(name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.Call("nav", []any{"/form"})
	names := []string{"old-state.json", "old-log.ndjson", "old-trace.zip", "state.json", "log.ndjson", "trace.zip"}
	for _, old := range []string{"old-", ""} {
		p.Call("save-state", []any{at(old + "state.json")})
		p.Call("log-start", []any{at(old + "log.ndjson")})
		p.Call("log-stop", nil)
		p.Call("trace-start", nil)
		p.Call("trace-stop", []any{at(old + "trace.zip")})
	}
	har := p.Text("open-ctx", pipetest.Object{"har": at("a.har")})
	page := p.Text("new-page", []any{har})
	p.Call("nav", []any{"/form"}, "page", page)
	p.Call("close-ctx", []any{har})
	for _, name := range append(names, "a.har") {
		info, err := os.Stat(at(name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
