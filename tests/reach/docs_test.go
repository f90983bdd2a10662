package reach

import (
	"os"
	"strings"
	"testing"

	"pwpipe/handlers"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// The tables of docs/reach.md match the declared tools.
func TestReachDocument(t *testing.T) {
	const file, begin, end = "../../docs/reach.md", "<!-- tools -->\n", "<!-- /tools -->\n"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table := provider.NewTable(handlers.Tools(), provider.TableOptions{})
	tables := ""
	for _, profile := range []string{"reach", "mcp"} {
		text, err := provider.Describe(table.Profile(profile), "markdown")
		if err != nil {
			t.Fatal(err)
		}
		tables += "`--profile " + profile + "`:\n\n" + text + "\n"
	}
	before, rest, ok := strings.Cut(string(raw), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has lost its marks", file)
	}
	pipetest.Golden(t, file, before+begin+"\n"+tables+end+after)
}
