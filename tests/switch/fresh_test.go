//go:build evidence

package switch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestFresh: the files of names are those of each program's newest package, which npm
// fetches. PWPIPE_TEST_PEERS=1 asks for it; agent-browser's is 50 MB.
func TestFresh(t *testing.T) {
	if os.Getenv("PWPIPE_TEST_PEERS") == "" {
		t.Skip("set PWPIPE_TEST_PEERS=1 to fetch the newest packages with npm")
	}
	for program, names := range map[string]func(*testing.T, string) []string{
		"playwright-mcp": mcpNames, "playwright-cli": cliNames, "chrome-devtools-mcp": devtoolsNames, "agent-browser": agentBrowserNames, "playwriter": playwriterNames,
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			version, all := list(t, program)
			dir := t.TempDir()
			pkg := strings.Replace(program, "playwright-", "@playwright/", 1)
			newest := strings.TrimSpace(output(t, dir, "npm", "view", pkg, "version"))
			if newest != version {
				t.Errorf("the newest is %s, the file is of %s", newest, version)
			}
			file := strings.TrimSpace(output(t, dir, "npm", "pack", "--silent", pkg+"@"+newest))
			output(t, dir, "tar", "xzf", file)
			var have []string
			for _, e := range all {
				have = append(have, e.name)
			}
			got := names(t, filepath.Join(dir, "package"))
			for _, name := range got {
				if !slices.Contains(have, name) {
					t.Errorf("new: %s", name)
				}
			}
			for _, name := range have {
				if !slices.Contains(got, name) {
					t.Errorf("gone: %s", name)
				}
			}
		})
	}
}

func output(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "HOME="+dir) // they write what they like below it
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return string(out)
}

// matches are the first groups of a pattern in the files of a pattern.
func matches(t *testing.T, pattern, files string) (all []string) {
	t.Helper()
	paths, err := filepath.Glob(files)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v, %v", files, paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, groups(pattern, string(text))...)
	}
	return all
}

func groups(pattern, text string) (all []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// mcpNames are Playwright MCP's tools of all capabilities; TestPlaywrightMCP has its flags.
func mcpNames(t *testing.T, dir string) []string {
	dir = filepath.Dir(dir)
	installMCP(t, dir)
	return tools(t, dir, "node", mcpProgram, mcpCaps)
}

// mcpProgram starts Playwright MCP in the folder where it is installed.
const (
	mcpProgram = "node_modules/@playwright/mcp/cli.js"
	mcpCaps    = "--caps=config,core,devtools,network,pdf,storage,testing,tracing,vision"
)

func installMCP(t *testing.T, dir string) {
	t.Helper()
	output(t, dir, "npm", "install", "--silent", "--ignore-scripts", "@playwright/mcp")
}

// cliNames are its commands, and the options of those that start and of all. What it
// runs is in its dependencies.
func cliNames(t *testing.T, dir string) []string {
	dir = filepath.Dir(dir)
	output(t, dir, "npm", "install", "--silent", "--ignore-scripts", "@playwright/cli")
	const program = "node_modules/@playwright/cli/playwright-cli.js"
	help := output(t, dir, "node", program, "--help")
	names := groups(`(?m)^  ([a-z][a-z-]+)(?: [\[<]|  )`, help)
	for _, command := range []string{"open", "attach"} {
		help += output(t, dir, "node", program, "--help", command)
	}
	return append(names, groups(`(?m)^ +(--[a-z-]+)`, help)...)
}

func devtoolsNames(t *testing.T, dir string) []string {
	names := matches(t, `(?:name:|_TOOL_NAME =) '([a-z0-9_]+)'`, dir+"/build/src/tools/*.js")
	help := output(t, dir, "node", "build/src/bin/chrome-devtools-mcp.js", "--help")
	names = append(names, groups(`(?m)^ +(?:-\w, )?(--\w+)`, help)...)
	return append(names, groups(`(?m)^ +--\w+, (--\w+)`, help)...)
}

// tools are the names of an MCP server's tools.
func tools(t *testing.T, dir, name string, args ...string) (names []string) {
	for _, tool := range toolList(t, dir, name, args...) {
		names = append(names, tool.Name)
	}
	return names
}

// toolList lists the tools of an MCP server.
func toolList(t *testing.T, dir, name string, args ...string) (all []*mcp.Tool) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tool)
	}
	return all
}

func agentBrowserNames(t *testing.T, dir string) (names []string) {
	program := dir + "/bin/agent-browser-linux-x64"
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range tools(t, dir, program, "mcp", "--tools", "all") {
		names = append(names, strings.TrimPrefix(name, "agent_browser_"))
	}
	return append(names, groups(`(?m)^  (?:-\w, )?(--[a-z-]+)`, output(t, dir, program, "--help"))...)
}

func playwriterNames(t *testing.T, dir string) (names []string) {
	names = matches(t, `server\.tool\('(\w+)'`, dir+"/dist/mcp.js")
	names = append(names, matches(t, `\.command\('([a-z]+(?: [a-z]+)*)`, dir+"/dist/cli.js")...)
	names = append(names, matches(t, `\.option\('(?:-\w, )?(--[a-z-]+)`, dir+"/dist/cli.js")...)
	utilities := strings.Join(matches(t, `(?s)\n## utility functions\n(.*?)\n## `, dir+"/src/skill.md"), "")
	for _, both := range groups(`(?m)^\*\*([A-Za-z.]+(?: / [A-Za-z.]+)*)\*\* - `, utilities) {
		names = append(names, strings.Split(both, " / ")...)
	}
	return names
}
