package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
	"pwpipe/provider/toollist"
)

// TestToolTables: each profile's section of docs/tools.md shows all of its
// tools, as declared.
func TestToolTables(t *testing.T) {
	const file = "../../docs/tools.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table := provider.NewTable(features.Tools(), provider.TableOptions{})
	for _, profile := range []string{"core", "act", "read", "help", "batch", "check", "state", "emulate", "net", "record", "devtools", "session"} {
		if !strings.Contains(string(text), "<!-- "+profile+" -->") {
			t.Errorf("no section for profile %s", profile)
		}
	}
	want := regexp.MustCompile(`(?s)<!-- (\w+) -->\n.*?<!-- /\w+ -->`).ReplaceAllStringFunc(string(text), func(old string) string {
		profile := strings.Fields(old)[1]
		list, err := toollist.Describe(table.Profile(profile), "markdown")
		if err != nil || len(table.Profile(profile)) == 0 {
			t.Errorf("profile %s: %v", profile, err)
		}
		return "<!-- " + profile + " -->\n" + list + "<!-- /" + profile + " -->"
	})
	pipetest.Golden(t, file, want)
}

// TestReachDocument: the tables of docs/reach.md show the declared tools.
func TestReachDocument(t *testing.T) {
	table := provider.NewTable(features.Tools(), provider.TableOptions{})
	tables := ""
	for _, profile := range []string{"reach", "mcp"} {
		text, err := toollist.Describe(table.Profile(profile), "markdown")
		if err != nil {
			t.Fatal(err)
		}
		tables += "`--profile " + profile + "`:\n\n" + text + "\n"
	}
	pipetest.GoldenSection(t, "../../docs/reach.md", "tools", "\n\n"+tables)
}
