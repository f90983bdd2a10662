package reach

import (
	"testing"

	"pwpipe/features"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// The tables of docs/reach.md match the declared tools.
func TestReachDocument(t *testing.T) {
	table := provider.NewTable(features.Tools(), provider.TableOptions{})
	tables := ""
	for _, profile := range []string{"reach", "mcp"} {
		text, err := provider.Describe(table.Profile(profile), "markdown")
		if err != nil {
			t.Fatal(err)
		}
		tables += "`--profile " + profile + "`:\n\n" + text + "\n"
	}
	pipetest.GoldenSection(t, "../../docs/reach.md", "tools", "\n\n"+tables)
}
