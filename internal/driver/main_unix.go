//go:build unix

package driver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"pwpipe/internal/chromium"
)

// Main turns the process into the driver when playwright-go has started it as
// such, or into what stands in for a browser ([chromium.Main]), and returns
// otherwise. It must be the first call of main.
func Main() {
	chromium.Main()
	node := os.Getenv(envNode)
	if node == "" || len(os.Args) < 3 || filepath.Base(os.Args[1]) != "cli.js" {
		return
	}
	if os.Args[2] == "--version" {
		fmt.Println("Version", packageVersion(filepath.Dir(os.Args[1])))
		os.Exit(0)
	}
	dieWithParent()
	_ = unix.Setpgid(0, 0) // a terminal's Ctrl-C is ours to handle
	_ = os.WriteFile(os.Getenv(envPID), fmt.Append(nil, os.Getpid()), 0o600)
	env := append(CleanEnv(), strings.Split(os.Getenv(envVars), "\n")...)
	args := []string{node}
	if start := os.Getenv(envStart); start != "" {
		args = append(args, start, os.Getenv(envCache))
	}
	err := unix.Exec(node, append(args, os.Args[1:]...), lastWins(env))
	fmt.Fprintln(os.Stderr, "pwpipe: starting", node+":", err)
	os.Exit(127)
}

// lastWins drops all but the last setting of a variable: of two, programs
// differ in which they take.
func lastWins(env []string) []string {
	at := map[string]int{}
	var list []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if i, ok := at[name]; ok {
			list[i] = kv
			continue
		}
		at[name] = len(list)
		list = append(list, kv)
	}
	return list
}

func packageVersion(dir string) string {
	var p struct {
		Version string `json:"version"`
	}
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pwpipe:", err)
		os.Exit(1)
	}
	return p.Version
}

// programFor is what playwright-go is told to start: our own binary.
func programFor(node string) string {
	self, err := os.Executable()
	if err != nil {
		return node
	}
	return self
}

func processExists(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }
