package iloexamples

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var fence = regexp.MustCompile("(?ms)^```(sh|console)\n(.*?)^```$")

// TestReadmeCommands runs the README's commands in a shell, in a clone, and
// compares their output.
func TestReadmeCommands(t *testing.T) {
	exe := ilo(t)
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	bin := t.TempDir()
	if err := os.Symlink(exe, filepath.Join(bin, "ilo")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOBIN", bin)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	shell := func(dir, script string) string {
		cmd := exec.Command("sh", "-ec", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if _, ok := err.(*exec.ExitError); err != nil && !ok {
			t.Fatal(err)
		}
		return string(out)
	}
	seen := 0
	for _, block := range fence.FindAllStringSubmatch(read(t, "README.md"), -1) {
		if block[1] == "sh" {
			script := block[2] + "\necho; pwd\n"
			if out := strings.TrimSpace(shell("..", script)); filepath.Base(lastLine(out)) != "ilo-examples" {
				t.Fatalf("%s\n%s", block[2], out)
			}
			continue
		}
		for _, command := range strings.Split("\n"+block[2], "\n$ ")[1:] {
			line, want, _ := strings.Cut(command, "\n")
			got := shell(".", line)
			if d := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); d != "" {
				t.Errorf("$ %s (-README +now):\n%s", line, d)
			}
			seen++
		}
	}
	if seen < len(examples) {
		t.Errorf("only %d commands found in the README", seen)
	}
}

func lastLine(s string) string { return s[strings.LastIndex(s, "\n")+1:] }
