//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNPMCommandEnds: the command that npm and npx start passes a signal on; where it is killed, its
// pwpipe ends with its input, as it would without it. Nothing stays behind.
func TestNPMCommandEnds(t *testing.T) {
	pipetest.InCI(t, "it is long, and about the wrapper of npm alone")
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node here")
	}
	dir := t.TempDir()
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	platform := filepath.Join(dir, "node_modules", "@pwpipe", "linux-"+arch)
	err = errors.Join(os.MkdirAll(filepath.Join(platform, "bin"), 0o755), os.WriteFile(filepath.Join(platform, "package.json"), []byte("{}"), 0o600),
		os.Symlink(pipetest.Binary(t), filepath.Join(platform, "bin", "pwpipe")))
	for _, file := range []string{"bin.cjs", "program.cjs"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, file), []byte(readPage(t, "../../deploy/npm/"+file)), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			cmd := exec.Command(node, filepath.Join(dir, "bin.cjs"), "--site")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(in, `{"id":1,"method":"nav","params":["/login"]}`)
			buf := make([]byte, 100)
			if n, _ := out.Read(buf); !strings.HasPrefix(string(buf[:n]), `{"id":1,"result":null}`) {
				t.Fatalf("got %q", buf[:n])
			}
			before := pipetest.Descendants(t, cmd.Process.Pid)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if signal == syscall.SIGKILL {
				_ = in.Close() // a host that ends a server does this, too, or ends itself
			}
			_ = cmd.Wait()
			allGone(t, before)
		})
	}
}
