//go:build evidence

package features_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestBadUsageIsPlain: the same through the program itself, with status 2.
func TestBadUsageIsPlain(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBadUsage is quick")
	t.Parallel()
	for line, want := range map[string]string{
		"--timeout abc":           `--timeout: expected a number such as 30, got "abc"; its help: deadline of each request`,
		"--max-pages 5.5":         `--max-pages: expected a whole number such as 50, got "5.5"`,
		"--headed=maybe":          `--headed: expected true or false, got "maybe"`,
		"--timeout":               `--timeout: expected a number such as 30, got nothing`,
		"--=x":                    `expected a flag such as --timeout 30, got "--=x"`,
		"-x":                      `unknown flag: -x`,
		"txt h1 --timeout abc":    `--timeout: expected a number such as 5, got "abc"`,
		"open --max-pages x":      `--max-pages: expected a whole number such as 50, got "x"`,
		"open --max-pages":        `--max-pages: expected a whole number such as 50, got nothing`,
		"serve --queue-timeout 5": `--queue-timeout: expected a time such as 30s or 5m, got "5"`,
		"serve extra":             `pwpipe serve: expected no more words, got "extra"; usage: pwpipe serve [flags]`,
		"mcp --headless=1":        `--headless: expected true or false, got "1"`,
		"mcp install cursor":      `pwpipe mcp install: expected --for HOST [-- FLAG...], got "cursor"; usage: pwpipe mcp install --for HOST [-- FLAG...]`,
		"mcp install --for cursor -- --outline-tokens x": `a flag for the server: --outline-tokens: expected a whole number`,
		"run":                      `pwpipe run: expected FILE..., got nothing; usage: pwpipe run FILE...`,
		"convert a b":              `pwpipe convert: expected FILE, got "b"`,
		"PWPIPE_TIMEOUT=abc run x": `PWPIPE_TIMEOUT: expected a number such as 30, got "abc"`,
		"PWPIPE_MAX_PAGES=x serve": `PWPIPE_MAX_PAGES: expected a whole number such as 50, got "x"`,
		"SESSION_TTL_MS=1s serve":  `SESSION_TTL_MS: expected a whole number such as 120000, got "1s"`,
	} {
		words := strings.Fields(line)
		cmd := exec.Command(pipetest.Binary(t))
		cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "PWPIPE_CACHE="+t.TempDir())
		for len(words) > 0 && strings.Contains(words[0], "=") && words[0][0] != '-' {
			cmd.Env, words = append(cmd.Env, words[0]), words[1:]
		}
		cmd.Args = append(cmd.Args, words...)
		out, _ := cmd.CombinedOutput()
		if status := cmd.ProcessState.ExitCode(); status != 2 || !strings.Contains(string(out), want) {
			t.Errorf("pwpipe %s: status %d, %s", line, status, out)
		}
		pipetest.Lacks(t, strings.ReplaceAll(string(out), fmt.Sprint(words), ""), goWords...)
	}
}
