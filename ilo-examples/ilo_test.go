// Package iloexamples tests the ilo programs of this folder: the real
// interpreter runs them over MCP, with the real pwpipe, the sample site and a
// real browser.
package iloexamples

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) {
	if os.Getenv(oddServer) != "" {
		serveOddTools()
		return
	}
	pipetest.Main(m)
}

// examples are the programs, with arguments that make them succeed.
var examples = []struct {
	name string
	args []string
}{
	{"login", []string{"login", "ada@mail.example", "secret"}},
	{"scrape", []string{"chk", "/projects"}},
	{"multi-page", []string{"multi", "ada@mail.example", "secret"}},
	{"mock", []string{"mock"}},
}

var interpreter = sync.OnceValues(func() (string, error) {
	if exe := os.Getenv("ILO"); exe != "" {
		path, err := exec.LookPath(exe)
		if err != nil {
			return "", err
		}
		return filepath.Abs(path)
	}
	return exec.LookPath("ilo")
})

// ilo finds the interpreter. The test is skipped without one, and fails if ILO
// is set but wrong.
func ilo(t testing.TB) string {
	t.Helper()
	exe, err := interpreter()
	if err != nil && os.Getenv("ILO") == "" {
		t.Skip("no ilo on PATH: set ILO to an interpreter with tools to run this test")
	}
	if err != nil {
		t.Fatalf("ILO: %v", err)
	}
	return exe
}

// config writes a copy of mcp.json that starts the built pwpipe on base, and
// returns its path.
func config(t testing.TB, base string, more ...string) string {
	t.Helper()
	type server struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	var c struct {
		Servers map[string]server `json:"mcpServers"`
	}
	data, err := os.ReadFile("mcp.json")
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := c.Servers["pwpipe"]
	if s.Command != "pwpipe" || len(s.Args) != 1 || s.Args[0] != "--site" {
		t.Fatalf("mcp.json: expected to start `pwpipe --site`, got %v", s)
	}
	c.Servers["pwpipe"] = server{pipetest.Binary(t), append([]string{"--base-url", base}, more...)}
	return writeJSON(t, c)
}

func writeJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, "mcp.json", string(data))
}

// write puts text into a file in a temporary folder.
func write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func read(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// command runs the interpreter to its end.
func command(t testing.TB, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(ilo(t), args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// run runs a program over MCP.
func run(t testing.TB, program, mcp string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	return command(t, append([]string{"run", "--vm", "--max-runtime", "600", program, "--mcp", mcp}, args...)...)
}

// prints runs a program text that must succeed, and compares its output.
func prints(t testing.TB, mcp, program, want string) {
	t.Helper()
	out, errs, status := run(t, write(t, "program.ilo", program), mcp)
	if status != 0 || strings.TrimSuffix(out, "\n") != want {
		t.Errorf("status %d, got %q, want %q\n%s\n%s", status, out, want, errs, program)
	}
}

// TestExamples: each program prints its .out file.
func TestExamples(t *testing.T) {
	t.Parallel()
	ilo(t)
	mcp := config(t, pipetest.Site(t))
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			out, errs, status := run(t, e.name+".ilo", mcp, e.args...)
			if status != 0 {
				t.Fatalf("status %d\n%s%s", status, out, errs)
			}
			pipetest.Golden(t, e.name+".out", out)
		})
	}
}
