//go:build evidence

package service_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestMCPClients: the official TypeScript and Python clients, with and without MCP
// sessions, list tools, find their pages again and fetch a picture, over HTTP and on a
// pipe that they spawn.
func TestMCPClients(t *testing.T) {
	t.Parallel()
	pipetest.Nightly(t, "TestMCPBothEras does so with the client of Go")
	svc := pipetest.StartService(t)
	binary := pipetest.Binary(t)
	node := func(t *testing.T, pkg, era, server string) *exec.Cmd {
		dir := pipetest.NPM(t, "@modelcontextprotocol/client@2.4.0", "@modelcontextprotocol/sdk@1.32.2")
		cmd := exec.Command("node", "testdata/mcp-client.mjs", pkg, era, server, svc.Key, svc.Site, filepath.Join(t.TempDir(), "a.png"))
		cmd.Env = append(os.Environ(), "NODE_PATH="+dir)
		return cmd
	}
	python := func(t *testing.T, pkg, era, server string) *exec.Cmd {
		cmd := exec.Command("python3", "testdata/mcp-client.py", era, server, svc.Key, svc.Site, filepath.Join(t.TempDir(), "a.png"))
		cmd.Env = append(os.Environ(), "PYTHONPATH="+pipetest.PIP(t, pkg))
		return cmd
	}
	for _, c := range []struct {
		pkg, era string
		client   func(t *testing.T, pkg, era, server string) *exec.Cmd
	}{
		{"@modelcontextprotocol/sdk", "first", node}, {"@modelcontextprotocol/client", "legacy", node},
		{"@modelcontextprotocol/client", "modern", node},
		{"mcp==1.30.0", "first", python}, {"mcp==2.3.0", "legacy", python}, {"mcp==2.3.0", "modern", python},
	} {
		for way, server := range map[string]string{"http": svc.URL + "/mcp", "stdio": binary} {
			t.Run(strings.ReplaceAll(c.pkg, "/", " ")+" "+c.era+" "+way, func(t *testing.T) {
				cmd := c.client(t, c.pkg, c.era, server)
				var stderr strings.Builder
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%v: %s%s", err, out, stderr.String())
				}
				want := "nav " + svc.Site + "/form image/png PNG"
				if c.era == "modern" && way == "http" {
					want += " " + svc.Site + "/?named " + svc.Site + "/form"
				}
				if got := strings.TrimSpace(string(out)); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			})
		}
	}
}
