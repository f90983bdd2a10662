package scripts_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestFilesOfScripts: what a script replaces stays until the new text is there, and what holds
// cookies, or is said to be private, only the user may read.
func TestFilesOfScripts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPrivateFiles of handlers/guard is quick")
	t.Parallel()
	p, dir := pipetest.SharedIn(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("old.txt"), []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(at("old.txt"), at("kept.txt")); err != nil {
		t.Skip(err)
	}
	p.Call("execute", []any{`const fs = require('fs'), dir = ` + strconv.Quote(filepath.ToSlash(dir)) + `;
		fs.writeFileSync(dir + '/old.txt', 'new');
		fs.writeFileSync(dir + '/private.txt', 'x', { mode: 0o600 });
		await context.storageState({ path: dir + '/state.json' });
		await context.tracing.start();
		await context.tracing.stop({ path: dir + '/trace.zip' });`})
	for name, want := range map[string]string{"old.txt": "new", "kept.txt": "old"} {
		if text, err := os.ReadFile(at(name)); err != nil || string(text) != want {
			t.Errorf("%s holds %q, %v", name, text, err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	for name, want := range map[string]os.FileMode{"old.txt": 0o640, "private.txt": 0o600, "state.json": 0o600, "trace.zip": 0o600} {
		if info, err := os.Stat(at(name)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
