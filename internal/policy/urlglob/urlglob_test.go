package urlglob

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The results are those of Playwright 1.52.
func TestGlobsAreReadAsPlaywrightDoes(t *testing.T) {
	table, err := os.ReadFile("testdata/globs.txt") // a glob, its base, a URL, and whether it matches
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		var glob, base, url string
		var matches bool
		if _, err := fmt.Sscanf(line, "%q %q %q %t", &glob, &base, &url, &matches); err != nil {
			t.Fatal(line, err)
		}
		if g, err := Compile(glob, base); err != nil {
			t.Errorf("%q: %v", glob, err)
		} else if g.Match(url) != matches {
			t.Errorf("%q with base %q matches %s: %v", glob, base, url, !matches)
		}
	}
}

func TestSocketsHaveTheBaseOfTheirPage(t *testing.T) {
	g, err := CompileSocket("/ws", "https://a.test/x")
	if err != nil || !g.Match("wss://a.test/ws") || g.Match("https://a.test/ws") {
		t.Errorf("%+v, %v", g, err)
	}
}

func TestGlobsThatAreNone(t *testing.T) {
	for _, glob := range []string{"**/{a", "**/a}", strings.Repeat("*", maxGlob+1)} {
		if _, err := Compile(glob, ""); err == nil {
			t.Errorf("%.30q is taken", glob)
		}
	}
}

// FuzzGlobs: every glob terminates, and none panics. A backtracking matcher does not
// terminate on the first of these.
func FuzzGlobs(f *testing.F) {
	deep := "http://a.test" + strings.Repeat("/x", 60)
	f.Add(strings.Repeat("**/", 14)+"zz", "", deep)
	f.Add(strings.Repeat("*/**/", 14)+"zz", "", deep)
	f.Add("**/"+strings.Repeat("{a,aa,*}", 40)+"zz", "", "http://a.test/"+strings.Repeat("a", 60))
	f.Add(`\{?a/../b`, "http://a.test/c/", "http://a.test/b")
	f.Fuzz(func(t *testing.T, glob, base, url string) {
		if g, err := Compile(glob, base); err == nil {
			g.Match(url)
		}
	})
}
