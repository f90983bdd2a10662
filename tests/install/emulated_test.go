//go:build evidence

package install_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The binaries for arm64 and for Windows start, list their tools and answer requests that need
// no browser, if the machine has an emulator.
func TestEmulated(t *testing.T) {
	pipetest.InCI(t, "it compiles the program anew")
	for _, system := range []struct {
		goos, goarch, emulator, file string
		prepare                      func(t *testing.T) (env []string)
	}{
		{"linux", "arm64", "qemu-aarch64", "pwpipe", nil}, // Debian's package qemu-user
		{"windows", "amd64", "wine", "pwpipe.exe", wine},
	} {
		t.Run(system.goos+"/"+system.goarch, func(t *testing.T) {
			emulator, err := exec.LookPath(system.emulator)
			if err != nil {
				t.Skipf("needs %s", system.emulator)
			}
			env := emptyHome(t)
			if system.prepare != nil {
				env = append(env, system.prepare(t)...)
			}
			binary := filepath.Join(t.TempDir(), system.file)
			run(t, "../..", []string{"CGO_ENABLED=0", "GOOS=" + system.goos, "GOARCH=" + system.goarch},
				"go", "build", "-trimpath", "-ldflags", "-s -w -X main.version="+version, "-o", binary, "./cmd/pwpipe")
			start := func(stdin string, args ...string) string {
				cmd := exec.Command(emulator, append([]string{binary}, args...)...)
				cmd.Dir, cmd.Env, cmd.Stdin = t.TempDir(), append(os.Environ(), env...), strings.NewReader(stdin)
				var errs strings.Builder
				cmd.Stderr = &errs
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%v: %v\n%s%s", args, err, out, errs.String())
				}
				return string(out)
			}
			if out := start("", "--version"); !strings.HasPrefix(out, "pwpipe version "+version) || !strings.Contains(out, " and its Chromium") {
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

// wine makes an empty Windows. Wine 8 lacks a library that Go's runtime needs, so it is
// compiled, with Debian's package gcc-mingw-w64-x86-64.
func wine(t *testing.T) (env []string) {
	t.Helper()
	dir := t.TempDir()
	env = []string{"WINEPREFIX=" + dir, "WINEDEBUG=-all", "DISPLAY="}
	run(t, dir, env, "wine", "cmd", "/c", "exit")
	t.Cleanup(func() {
		stop := exec.Command("wineserver", "--kill", "--wait")
		stop.Env = append(os.Environ(), env...)
		_ = stop.Run() // its status is 1 where the server has ended by itself
	})
	library := filepath.Join(dir, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(library); err == nil {
		return env
	}
	const compiler = "x86_64-w64-mingw32-gcc"
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("needs Wine 9, or %s for a library that this one lacks", compiler)
	}
	run(t, ".", nil, compiler, "-shared", "-o", library, "testdata/prng.c", "-ladvapi32")
	return env
}
