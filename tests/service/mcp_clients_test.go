package service

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestMCPClients: the official clients, in TypeScript and in Python, of the revisions
// with sessions and of the one without, list tools and find their pages again.
func TestMCPClients(t *testing.T) {
	t.Parallel()
	pipetest.InCI(t, "TestMCPBothEras does so with the client of Go")
	svc := pipetest.StartService(t)
	node := func(t *testing.T, pkg, era string) *exec.Cmd {
		dir := pipetest.NPM(t, "@modelcontextprotocol/client@2.4.0", "@modelcontextprotocol/sdk@1.32.2")
		cmd := exec.Command("node", "testdata/mcp-client.mjs", pkg, era, svc.URL+"/mcp", svc.Key, svc.Site)
		cmd.Env = append(os.Environ(), "NODE_PATH="+dir)
		return cmd
	}
	python := func(t *testing.T, pkg, era string) *exec.Cmd {
		cmd := exec.Command("python3", "testdata/mcp-client.py", era, svc.URL+"/mcp", svc.Key, svc.Site)
		cmd.Env = append(os.Environ(), "PYTHONPATH="+pipetest.PIP(t, pkg))
		return cmd
	}
	for _, c := range []struct {
		pkg, era string
		client   func(t *testing.T, pkg, era string) *exec.Cmd
	}{
		{"@modelcontextprotocol/sdk", "first", node}, {"@modelcontextprotocol/client", "legacy", node},
		{"@modelcontextprotocol/client", "modern", node},
		{"mcp==1.30.0", "first", python}, {"mcp==2.3.0", "legacy", python}, {"mcp==2.3.0", "modern", python},
	} {
		t.Run(strings.ReplaceAll(c.pkg, "/", " ")+" "+c.era, func(t *testing.T) {
			cmd := c.client(t, c.pkg, c.era)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s%s", err, out, stderr.String())
			}
			want := "nav " + svc.Site + "/form"
			if c.era == "modern" {
				want += " " + svc.Site + "/?named " + svc.Site + "/form"
			}
			if got := strings.TrimSpace(string(out)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
