//go:build evidence

package switch_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// examples are the blocks of docs/switch.md and of the programs' pages in a language, "" for none.
func examples(t *testing.T, language string) []string {
	t.Helper()
	files := []string{pages + ".md"}
	for _, program := range programs {
		files = append(files, filepath.Join(pages, program+".md"))
	}
	var list []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, groups("(?s)\n```"+language+"\n(.*?)\n```\n", string(text))...)
	}
	if len(list) == 0 {
		t.Fatalf("docs/switch has no example in %q", language)
	}
	return list
}

// bash runs a script of somebody who has nothing but pwpipe and what it has fetched.
func bash(t *testing.T, script string) (string, error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "pwpipe-switch-") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(pipetest.Binary(t), filepath.Join(bin, "pwpipe")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"HOME=" + cmd.Dir, "XDG_RUNTIME_DIR=" + dir, "PWPIPE_CACHE=" + filepath.Join(cache, "pwpipe"),
		"PATH=" + bin + ":" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestConversation: what docs/switch.md shows as typed prints what it shows.
func TestConversation(t *testing.T) {
	t.Parallel()
	for _, block := range examples(t, "") {
		for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			if out, _ := bash(t, command); strings.TrimSpace(out) != want {
				t.Errorf("%s\n%s\nwant\n%s", command, out, want)
			}
		}
	}
}

// TestHostAlone: a host without its scheme, which other programs take, is answered with
// the URL.
func TestHostAlone(t *testing.T) {
	t.Parallel()
	out, _, _ := pipetest.Run(t, `{"method":"nav","params":["shop.example:8080/a?b=c"]}`)
	pipetest.Has(t, out, "not a URL: shop.example:8080/a?b=c; give it whole (https://shop.example:8080/a?b=c)")
}

// TestScripts: the commands of docs/switch run, on the sample site.
func TestScripts(t *testing.T) {
	t.Parallel()
	site := pipetest.Site(t)
	for _, block := range examples(t, "sh") {
		script := strings.ReplaceAll(block, "https://shop.example", site)
		if out, err := bash(t, "set -e\n"+script); err != nil {
			t.Errorf("%v\n%s\n%s", err, script, out)
		}
	}
}

// TestConfigurations: the configurations of docs/switch start a server, which lists
// its tools.
func TestConfigurations(t *testing.T) {
	t.Parallel()
	for _, block := range examples(t, "json") {
		var config struct {
			MCPServers map[string]struct {
				Command string
				Args    []string
			}
		}
		if err := json.Unmarshal([]byte(block), &config); err != nil {
			t.Errorf("%v\n%s", err, block)
		}
		for name, server := range config.MCPServers {
			if server.Command != "pwpipe" {
				t.Errorf("%s starts %q", name, server.Command)
			}
			cmd := exec.Command(pipetest.Binary(t), server.Args...)
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
			if err != nil {
				t.Fatalf("%s: %v", block, err)
			}
			list, err := s.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) < 5 {
				t.Errorf("%s: %v, %v", block, list, err)
			}
			_ = s.Close()
		}
	}
}
