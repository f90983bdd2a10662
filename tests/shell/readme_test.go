//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestReadmeCommands runs each block of commands of the README as a reader would: pasted into a
// shell, with the program on PATH and an empty HOME.
func TestReadmeCommands(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestCommands is quick")
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	blocks := []struct {
		begins string
		prints string
		run    func(d *desk, block string) string // the script, where it is not the block alone
	}{
		{begins: "CGO_ENABLED=0 go install", run: func(d *desk, block string) string {
			if pipetest.Thorough() {
				return "export GOBIN=" + d.run + "/bin HOME=" + os.Getenv("HOME") + "\nrm $GOBIN/pwpipe\ncd " + checkout + "\n" + block
			}
			_, rest, _ := strings.Cut(block, "\n") // a link of the program takes long: pipetest has it
			return rest + "pwpipe doctor"
		}},
		{begins: "go run ./cmd/pwpipe", prints: `{"id":8,"result":"Dashboard | Skerry"}`, run: func(_ *desk, block string) string {
			block, _, ok := strings.Cut(block, "go test ./...\n") // which is what runs
			if !ok {
				t.Error("the README does not say how to run the tests")
			}
			if pipetest.Thorough() {
				block = "export HOME=" + os.Getenv("HOME") + "\n" + block
			} else {
				block = strings.Replace(block, "go run ./cmd/pwpipe", "pwpipe", 1)
			}
			return "cd " + checkout + "\n" + block
		}},
		{begins: "printf", prints: `{"id":null,"result":"Sign in | Skerry"}`},
		{begins: "pwpipe open", prints: "Welcome, ada@mail.example\n"},
		{begins: "pwpipe mcp install", prints: ".mcp.json: added"},
		{begins: "pwpipe serve", prints: `{"ok":true}`, run: func(_ *desk, block string) string {
			command, _, _ := strings.Cut(block, "#")
			addr := pipetest.FreeAddr(t)
			_, port, _ := strings.Cut(addr, ":")
			return "export PORT=" + port + "\n" + strings.TrimSpace(command) + " &\n" +
				"curl -sS --retry 50 --retry-delay 1 --retry-connrefused http://" + addr + "/healthz\nkill $!\nwait $! || true\n"
		}},
	}
	d := newDesk(t)
	found := 0
	for _, m := range regexp.MustCompile("(?ms)^```(?:sh)?\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(m[1], "{") { // lines of the wire
			continue
		}
		found++
		known := false
		for _, b := range blocks {
			if !strings.HasPrefix(m[1], b.begins) {
				continue
			}
			known = true
			script := m[1]
			if b.run != nil {
				script = b.run(d, script)
			}
			stdout, stderr, status := d.bash("set -e\n" + script)
			if status != 0 || !strings.Contains(stdout, b.prints) {
				t.Errorf("status %d from\n%s\n%s\n%s", status, script, stdout, stderr)
			}
		}
		if !known {
			t.Errorf("the README has commands that this test does not know: %s", m[1])
		}
	}
	if found != len(blocks) {
		t.Errorf("%d blocks of commands", found)
	}
}
