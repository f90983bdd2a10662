//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Every page that docs/llms.txt names exists.
func TestLLMs(t *testing.T) {
	t.Parallel()
	const docs = "../../docs"
	text, err := os.ReadFile(filepath.Join(docs, "llms.txt"))
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(string(text), -1)
	if len(links) == 0 {
		t.Error("no links")
	}
	for _, link := range links {
		if _, err := os.Stat(filepath.Join(docs, link[1])); err != nil {
			t.Error(err)
		}
	}
}
