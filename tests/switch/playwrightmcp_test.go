//go:build evidence

package switch_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// unlike are what `pwpipe mcp` lists otherwise than Playwright MCP, with all capabilities. "What
// differs" of docs/playwright-mcp.md has the reasons.
var unlike = []string{
	"browser_annotate is not listed",
	"browser_hide_highlight has no element",
	"browser_hide_highlight has no target",
	"browser_hide_highlight is not read-only",
	"browser_highlight has no style",
	"browser_highlight is not read-only",
	"browser_resume is not listed",
	"browser_run_code_unsafe is called Run Playwright code",
	"browser_start_recording is not listed",
	"browser_start_tracing is not read-only",
	"browser_start_video has no fps",
	"browser_start_video is not read-only",
	"browser_stop_recording is not listed",
	"browser_stop_tracing is not read-only",
	"browser_stop_video is not read-only",
	"browser_video_chapter has no duration",
	"browser_video_chapter is not read-only",
	"browser_video_hide_actions is not listed",
	"browser_video_show_actions is not listed",
}

// TestPlaywrightMCP: `pwpipe mcp` knows the flags of the newest Playwright MCP, and lists its tools
// with its parameters and hints. PWPIPE_TEST_PEERS=1 asks for it.
func TestPlaywrightMCP(t *testing.T) {
	t.Parallel()
	if os.Getenv("PWPIPE_TEST_PEERS") == "" {
		t.Skip("set PWPIPE_TEST_PEERS=1 to fetch the newest Playwright MCP with npm")
	}
	dir := t.TempDir()
	installMCP(t, dir)
	table, err := os.ReadFile(filepath.Join("..", "..", "docs", "playwright-mcp.md"))
	if err != nil {
		t.Fatal(err)
	}
	flags := groups(`(?m)^ +(?:-\w, )?(--[a-z-]+)`, output(t, dir, "node", mcpProgram, "--help"))
	if len(flags) < 40 {
		t.Fatalf("its flags are %v", flags)
	}
	for _, flag := range flags {
		if !strings.Contains(string(table), "\n| `"+flag+"` |") && flag != "--help" && flag != "--version" {
			t.Errorf("%s is not in the table of docs/playwright-mcp.md", flag)
		}
	}
	ours := map[string]*mcp.Tool{}
	for _, tool := range toolList(t, dir, pipetest.Binary(t), "mcp", "--headless", mcpCaps) {
		ours[tool.Name] = tool
	}
	var differs []string
	for _, tool := range toolList(t, dir, "node", mcpProgram, "--headless", mcpCaps) {
		differs = append(differs, differences(tool, ours[tool.Name])...)
	}
	slices.Sort(differs)
	if !slices.Equal(differs, unlike) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(differs, "\n"), strings.Join(unlike, "\n"))
	}
}

// differences are what a client of theirs would miss in ours.
func differences(theirs, ours *mcp.Tool) (list []string) {
	if ours == nil {
		return []string{theirs.Name + " is not listed"}
	}
	for name := range properties(theirs) {
		if properties(ours)[name] == nil {
			list = append(list, theirs.Name+" has no "+name)
		}
	}
	for _, name := range required(ours) {
		if !slices.Contains(required(theirs), name) {
			list = append(list, theirs.Name+": "+name+" is required here")
		}
	}
	if title := ours.Annotations.Title; title != theirs.Annotations.Title {
		list = append(list, theirs.Name+" is called "+title)
	}
	reads := theirs.Annotations.ReadOnlyHint
	switch {
	case reads && !ours.Annotations.ReadOnlyHint:
		list = append(list, theirs.Name+" is not read-only")
	case reads != ours.Annotations.ReadOnlyHint:
		list = append(list, theirs.Name+" is read-only")
	case !reads && isSet(theirs.Annotations.DestructiveHint) != isSet(ours.Annotations.DestructiveHint),
		isSet(theirs.Annotations.OpenWorldHint) != isSet(ours.Annotations.OpenWorldHint):
		list = append(list, theirs.Name+" has other hints")
	}
	return list
}

// isSet is a hint whose default is true.
func isSet(hint *bool) bool { return hint == nil || *hint }

func properties(tool *mcp.Tool) map[string]any {
	list, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
	return list
}

func required(tool *mcp.Tool) (names []string) {
	list, _ := tool.InputSchema.(map[string]any)["required"].([]any)
	for _, name := range list {
		names = append(names, name.(string))
	}
	return names
}
