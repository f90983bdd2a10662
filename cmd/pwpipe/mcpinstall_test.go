package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"pwpipe/internal/pipetest"
)

// userFiles lists the files of hosts for all projects of a user, below HOME on Linux.
var userFiles = map[string]string{
	"claude-desktop": ".config/Claude/claude_desktop_config.json",
	"claude-code":    ".claude.json",
	"codex":          ".codex/config.toml",
	"cursor":         ".cursor/mcp.json",
	"vscode":         ".config/Code/User/mcp.json",
	"zed":            ".config/zed/settings.json",
}

// sections are the members of these files that list servers.
var sections = map[string]string{"claude-desktop": "mcpServers", "claude-code": "mcpServers", "codex": "mcp_servers",
	"cursor": "mcpServers", "vscode": "servers", "zed": "context_servers"}

// TestHosts: for each host, a configuration of Playwright MCP in the documented form starts our
// server once its words are changed. `mcp install` adds an entry to it that starts our server too.
func TestHosts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestInstallRefuses and TestMCPClient are quick")
	t.Parallel()
	for _, host := range pipetest.Sample(slices.Sorted(maps.Keys(userFiles)), 6) {
		file := userFiles[host]
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join("testdata", "hosts", host+filepath.Ext(file))
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			form := sections[host]
			changed := strings.NewReplacer("npx", filepath.ToSlash(pipetest.Binary(t)), "@playwright/mcp@latest", "mcp").
				Replace(string(text))
			startHost(t, form, []byte(changed), "playwright")
			if runtime.GOOS != "linux" {
				t.Skip("the place of the file is Linux's")
			}
			home := t.TempDir()
			path := filepath.Join(home, filepath.FromSlash(file))
			writeFile(t, path, string(text))
			flags := []string{"--for", host, "--user", "--", "--isolated"}
			got := runInstall(t, home, 0, flags...)
			if !strings.Contains(got, path+": added\n") ||
				!strings.Contains(got, `"playwright" drives a browser too; it stays`) {
				t.Errorf("said %s", got)
			}
			added := readText(t, path)
			startHost(t, form, []byte(added), "pwpipe")
			for line := range strings.Lines(string(text)) {
				if !strings.Contains(strings.ReplaceAll(added, ",", ""), strings.ReplaceAll(line, ",", "")) {
					t.Errorf("line %q is not in\n%s", line, added)
				}
			}
			got = runInstall(t, home, 0, flags...)
			if !strings.Contains(got, "has this server already") || readText(t, path) != added {
				t.Errorf("the second time: %s\n%s", got, readText(t, path))
			}
		})
	}
}

// startHost starts a server of a configuration as a host does, and calls its tools.
func startHost(t *testing.T, section string, text []byte, name string) {
	t.Helper()
	entries, err := hujson.Standardize(text)
	if err == nil {
		text = entries
	} else { // TOML
		var config map[string]any
		if err := toml.Unmarshal(text, &config); err != nil {
			t.Fatal(err)
		}
		text, _ = json.Marshal(config)
	}
	var config map[string]json.RawMessage
	var servers map[string]struct {
		Command string
		Args    []string
		Env     map[string]string
	}
	if err := json.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(config[section], &servers); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(servers[name].Command, servers[name].Args...)
	cmd.Env = os.Environ()
	for key, value := range servers[name].Env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	s := connectTo(t, "test", cmd)
	if got, failed := callTool(t, s, "nav", map[string]any{"url": pipetest.Site(t) + "/login"}); failed {
		t.Errorf("nav: %s", got)
	}
	if got, failed := callTool(t, s, "txt", map[string]any{"sel": "h1"}); failed || got != "Sign in" {
		t.Errorf("txt: %s", got)
	}
}

// TestInstallRefuses: an unreadable file keeps its bytes, a link stays a link, a file keeps its
// mode, and --print writes no file.
func TestInstallRefuses(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links and modes as on Unix")
	}
	home := t.TempDir()
	project := filepath.Join(home, "project")
	broken := `{"mcpServers": {"a": {"command": "a"` // cut off
	writeFile(t, filepath.Join(project, ".mcp.json"), broken)
	for args, want := range map[string]string{
		"":                          "--for: expected claude-code, claude-desktop, codex, cursor, vscode or zed",
		"--for claude-code":         ".mcp.json is left as it was: hujson: line 1",
		"--for cursor --name a.b":   "--name: letters, digits, - and _",
		"--for cursor agent":        `expected --for HOST [-- FLAG...], got "agent"`,
		"--for cursor -- agent":     `the server takes flags only, got "agent"`,
		"--for cursor -- --isolate": "unknown flag: --isolate; did you mean --isolated?",
		"--for cursor --user -- --output-max-size=1": "--output-max-size: pwpipe never removes files",
	} {
		if got := runInstall(t, home, 2, strings.Fields(args)...); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %q", args, got, want)
		}
	}
	if got := readText(t, filepath.Join(project, ".mcp.json")); got != broken {
		t.Errorf("a broken file became %s", got)
	}
	got := runInstall(t, home, 0, "--for", "codex", "--print")
	if want := "[mcp_servers.pwpipe]\ncommand = "; !strings.HasPrefix(got, want) {
		t.Errorf("printed %s, want %q", got, want)
	}
	files, err := filepath.Glob(filepath.Join(project, ".*"))
	if err != nil || len(files) != 1 {
		t.Errorf("files: %q, %v", files, err)
	}

	target, link := filepath.Join(home, "dotfiles", "zed.json"), filepath.Join(home, ".config", "zed", "settings.json")
	writeFile(t, target, "{}\n")
	writeFile(t, link, "")
	if err := os.Chmod(target, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	runInstall(t, home, 0, "--for", "zed", "--user")
	info, err := os.Lstat(target)
	if err != nil || info.Mode().Perm() != 0o640 || !strings.Contains(readText(t, target), "context_servers") {
		t.Errorf("%v, %v: %s", info.Mode(), err, readText(t, target))
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
}

// TestInstalledCommand: the command of an entry depends on how pwpipe was installed, and lasts.
func TestInstalledCommand(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("copies are made with links, as on Unix")
	}
	home, bin := t.TempDir(), t.TempDir()
	link := filepath.Join(bin, "pwpipe")
	if err := os.Symlink(pipetest.Binary(t), link); err != nil {
		t.Fatal(err)
	}
	npx := filepath.Join(home, ".npm", "_npx", "0a", "pwpipe")
	writeFile(t, npx, "")
	if err := os.Remove(npx); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(pipetest.Binary(t), npx); err != nil {
		t.Skip(err) // another file system
	}
	for _, c := range []struct{ program, args, path, want string }{
		{link, "--user", bin, `"command": "` + link + `"`},
		{link, "--user", "/nowhere", `"command": "` + pipetest.Binary(t) + `"`},
		{link, "", bin, `"command": "pwpipe"`},
		{npx, "--user", bin, `"args": ["-y", "pwpipe@latest", "mcp"]`},
	} {
		args := append([]string{"mcp", "install", "--for", "cursor", "--print"}, strings.Fields(c.args)...)
		cmd := exec.Command(c.program, args...)
		cmd.Env = append(os.Environ(), "HOME="+home, "PATH="+c.path)
		if got, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(got), c.want) {
			t.Errorf("%+v: %v\n%s", c, err, got)
		}
	}
}

// runInstall runs the command in a project below a home.
func runInstall(t *testing.T, home string, status int, args ...string) string {
	t.Helper()
	project := filepath.Join(home, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(pipetest.Binary(t), append([]string{"mcp", "install"}, args...)...)
	cmd.Dir = project
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "CODEX_HOME=", "CLAUDE_CONFIG_DIR=")
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != status {
		t.Errorf("%q: exit status %d, want %d: %s", args, cmd.ProcessState.ExitCode(), status, out)
	}
	return string(out)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
