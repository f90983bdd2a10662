package install_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The binary for arm64 starts, lists its tools and answers requests that need no browser,
// if the machine has an emulator. For Windows that is Wine 9 or newer: Go's runtime needs
// a library that Wine 8 lacks.
func TestEmulated(t *testing.T) {
	pipetest.InCI(t, "it compiles the program anew")
	for _, system := range []struct{ goos, goarch, emulator, file string }{
		{"linux", "arm64", "qemu-aarch64", "pwpipe"}, // Debian's package qemu-user
	} {
		t.Run(system.goos+"/"+system.goarch, func(t *testing.T) {
			emulator, err := exec.LookPath(system.emulator)
			if err != nil {
				t.Skipf("needs %s", system.emulator)
			}
			binary := filepath.Join(t.TempDir(), system.file)
			run(t, "../..", []string{"CGO_ENABLED=0", "GOOS=" + system.goos, "GOARCH=" + system.goarch},
				"go", "build", "-trimpath", "-ldflags", "-s -w -X main.version="+version, "-o", binary, "./cmd/pwpipe")
			home := emptyHome(t)
			start := func(stdin string, args ...string) string {
				cmd := exec.Command(emulator, append([]string{binary}, args...)...)
				cmd.Dir, cmd.Env, cmd.Stdin = t.TempDir(), append(os.Environ(), home...), strings.NewReader(stdin)
				var errs strings.Builder
				cmd.Stderr = &errs
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%v: %v\n%s%s", args, err, out, errs.String())
				}
				return string(out)
			}
			if out := start("", "--version"); !strings.HasPrefix(out, "pwpipe version "+version) {
				t.Errorf("%q", out)
			}
			if out := start("", "tools"); !strings.Contains(out, "\n  nav url ") {
				t.Errorf("%q", out)
			}
			if out := start("{\"id\":1,\"method\":\"help\",\"params\":[\"nav\"]}\n"); !strings.Contains(out, `{"id":1,"result":"nav`) {
				t.Errorf("%q", out)
			}
		})
	}
}
