//go:build evidence

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestCodeLanguages: answers show code in the language of --codegen, or of PW_LANG_NAME.
func TestCodeLanguages(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestShownConfig is quick")
	t.Parallel()
	site := pipetest.Site(t)
	for language, want := range map[string][2]string{
		"python": {"```python\npage.goto(\"" + site + "/login\")\n```",
			`page.get_by_role("button", name="Sign in").click()`},
		"java": {"```java\npage.navigate(\"" + site + "/login\");\n```",
			`page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in")).click();`},
		"csharp": {"```csharp\nawait page.GotoAsync(\"" + site + "/login\");\n```",
			`await page.GetByRole(AriaRole.Button, new() { Name = "Sign in" }).ClickAsync();`},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			env, args := []string{"PW_LANG_NAME=" + language}, []string{"--headless"}
			if language == "java" {
				env, args = []string{"PW_LANG_NAME=python"}, append(args, "--codegen=java")
			}
			s, _ := startPeer(t, env, args...)
			got, _ := callTool(t, s, "browser_navigate", map[string]any{"url": site + "/login"})
			pipetest.Has(t, got, want[0])
			got, _ = callTool(t, s, "browser_click", map[string]any{"target": "getByRole('button', { name: 'Sign in' })"})
			pipetest.Has(t, got, want[1])
		})
	}
}

// TestPeerMarksAndChapters: tools of --caps=devtools mark an element, and name a film's chapters.
func TestPeerMarksAndChapters(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestVideoChapters of tests/eachtool is quick")
	t.Parallel()
	s, dir := startPeer(t, nil, "--headless", "--caps=devtools")
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"browser_navigate", map[string]any{"url": pipetest.Site(t) + "/login"}, "### Page"},
		{"browser_highlight", map[string]any{"target": "h1", "element": "the title"}, "Highlighted the title"},
		{"browser_highlight", map[string]any{"target": "#none"}, "does not match any elements"},
		{"browser_hide_highlight", map[string]any{}, "Hid page highlight"},
		{"browser_video_chapter", map[string]any{"title": "early"}, "the page is not being filmed"},
		{"browser_start_video", map[string]any{"filename": "a.webm", "cursor": true,
			"size": map[string]any{"width": 320, "height": 240}}, "Video recording started."},
		{"browser_video_chapter", map[string]any{"title": "Log in", "description": "by hand"}, "Chapter 'Log in' added."},
		{"browser_stop_video", map[string]any{}, "- [Video](./a.webm)"},
	} {
		if got, _ := callTool(t, s, c.tool, c.args); !strings.Contains(got, c.want) {
			t.Errorf("%s %v: got %s, want %q", c.tool, c.args, got, c.want)
		}
	}
	film, err := os.ReadFile(filepath.Join(dir, "a.webm"))
	if err != nil || !strings.Contains(string(film), "Log in: by hand") {
		t.Errorf("the film has no such chapter: %v, %d bytes", err, len(film))
	}
}
