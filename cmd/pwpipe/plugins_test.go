package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"pwpipe/internal/pipetest"
)

// server is how a plugin starts the MCP server.
type server struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// author of a plugin.
type author struct {
	Name string `json:"name"`
}

// plugin is the manifest of a plugin. Hosts differ in its place, and in what else it may say.
type plugin struct {
	Schema      string   `json:"$schema,omitempty"`
	Name        string   `json:"name"`
	DisplayName string   `json:"displayName,omitempty"`
	Version     string   `json:"version"`
	Description string   `json:"description"`
	Author      *author  `json:"author,omitempty"`
	License     string   `json:"license,omitempty"`
	Keywords    []string `json:"keywords,omitempty"`
	Skills      string   `json:"skills,omitempty"`
	Servers     any      `json:"mcpServers,omitempty"` // a file, or the servers by name
	Interface   any      `json:"interface,omitempty"`
}

const agentPlugins = "https://agent-plugins.org/schemas/1.0.0/"

// TestPlugins: the skill and the plugins at the top of the repository, where hosts look for them,
// are what this version says of itself.
func TestPlugins(t *testing.T) {
	text, stderr, status := pipetest.Run(t, "", "skill")
	if status != 0 {
		t.Fatal(stderr)
	}
	source := readPage(t, "../../deploy/packages/mcp.go")
	about := regexp.MustCompile(`description = "(.*)"`).FindStringSubmatch(source)
	if about == nil {
		t.Fatal("deploy/packages has no description")
	}
	base := plugin{
		Name: "pwpipe", Version: version, Description: about[1], Author: &author{"The pwpipe authors"}, License: "MIT",
		Keywords: []string{"browser", "playwright", "mcp", "automation", "testing"},
	}
	starts := server{Command: "npx", Args: []string{"-y", "pwpipe", "--profile", "agent"}}
	servers := map[string]server{"pwpipe": starts}
	portable := starts
	portable.Type = "stdio"

	open, claude, cursor, codex, gemini := base, base, base, base, base
	open.Schema = agentPlugins + "plugin.schema.json"
	claude.Servers = servers // in place of .mcp.json, which would be a project's own file
	cursor.DisplayName, cursor.Skills, cursor.Servers = "pwpipe", "./skills/", "./mcp.json"
	codex.Skills, codex.Servers = "./skills/", servers
	codex.Interface = map[string]any{"displayName": "pwpipe", "shortDescription": base.Description, "developerName": base.Author.Name,
		"category": "Productivity", "capabilities": []string{"Interactive", "Write"}}
	gemini.Author, gemini.License, gemini.Keywords, gemini.Servers = nil, "", nil, servers

	pipetest.Golden(t, atTop(t, "skills/pwpipe/SKILL.md"), text)
	for file, content := range map[string]any{
		"plugin.json":                open,
		"mcp.json":                   map[string]any{"$schema": agentPlugins + "mcp.schema.json", "mcpServers": map[string]server{"pwpipe": portable}},
		".claude-plugin/plugin.json": claude,
		".claude-plugin/marketplace.json": map[string]any{
			"name": "pwpipe", "owner": base.Author, "description": base.Description,
			"plugins": []map[string]any{{"name": "pwpipe", "source": "./", "description": base.Description}},
		},
		".cursor-plugin/plugin.json": cursor,
		".codex-plugin/plugin.json":  codex,
		"gemini-extension.json":      gemini,
	} {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(content); err != nil {
			t.Fatal(err)
		}
		pipetest.Golden(t, atTop(t, file), b.String())
	}
}

// atTop is a file of the repository, whose folder is there.
func atTop(t *testing.T, file string) string {
	t.Helper()
	path := filepath.Join("../..", filepath.FromSlash(file))
	if pipetest.Update() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return path
}
