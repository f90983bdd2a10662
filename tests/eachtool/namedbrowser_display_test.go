package eachtool_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLaunchNoDisplay: a window without a display is refused by name, like
// --headed.
func TestLaunchNoDisplay(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the display is named by the environment on Linux")
	}
	b := &browserTool{dir: t.TempDir()}
	cmd := exec.Command(pipetest.Binary(t))
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "DISPLAY=") && !strings.HasPrefix(kv, "WAYLAND_DISPLAY=") && !strings.HasPrefix(kv, "TMPDIR=") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "TMPDIR="+b.dir)
	b.Pipe = pipetest.StartCmd(t, cmd)
	r := b.act(t, pipetest.Object{"action": "launch", "browser_id": "w", "headless": false})
	if r.Success || !strings.Contains(r.Stderr, "DISPLAY") || !strings.Contains(r.Stderr, "xvfb-run") {
		t.Errorf("%+v", r)
	}
}
