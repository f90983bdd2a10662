// Package words keeps phrases that had to be read twice out of comments, error
// texts and docs.
package words

import (
	"bufio"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// phrases are the forbidden phrases, each with plainer words.
var phrases = []struct {
	re      *regexp.Regexp
	plainer string
}{
	{regexp.MustCompile(`(?i)\b(for|to|by|of|with|from|than) who\b`), `"for contributors", "for clients that …", "whoever …"`},
	{regexp.MustCompile(`(?i)\bof which (a|one|the)\b`), `"whose", or a sentence of its own`},
	{regexp.MustCompile(`(?i)\bwhat(ever)? it is told\b`), `what it gets`},
	{regexp.MustCompile(`(?i)\bby its own word\b`), `where the knowledge comes from: "from Target events"`},
	{regexp.MustCompile(`(?i)\bat its word\b`), `"trusts"`},
	{regexp.MustCompile(`(?i)\bthose of the\b`), `the noun again`},
	{regexp.MustCompile(`(?i)\b(is|are|was|were|be|been|not) told of\b`), `"hears about", "gets", "is reported"`},
	{regexp.MustCompile(`(?i)\btells? of\b`), `"reports", "shows", "describes"`},
	{regexp.MustCompile(`(?i)\bthe heart of\b`), `"the core"`},
	{regexp.MustCompile(`(?i)\bof what there\b`), `the noun: "of the existing files"`},
	{regexp.MustCompile(`(?i)\bnobody's to\b`), `"must not be", "nobody may"`},
	{regexp.MustCompile(`(?i)\bhas it that\b`), `"says that"`},
	{regexp.MustCompile(`(?i)\b(driver|page|script|parent|client|browser|person|kernel)'s to [a-z]`), `"the driver takes it", "the client may answer"`},
	{regexp.MustCompile(`(?i)\bto the letter\b`), `"exactly"`},
	{regexp.MustCompile(`(?i)\bsees? to it\b`), `"makes sure"`},
	{regexp.MustCompile(`(?i)\bholds? (nobody |nothing )?up\b`), `"blocks", "delays"`},
	{regexp.MustCompile(`(?i)\bwhat is no [a-km-z]`), `the noun: "other files", "invalid names"`},
	{regexp.MustCompile(`\bWho (asks|can't|comes|does|has|may|named|names|reads|waits)\b`), `"A client that …", "Whoever …"`},
	{regexp.MustCompile(`(?i)\bby (whatever|whichever|no) (road|way)\b`), `"by every API", "on every surface", "never"`},
}

// left lists files with allowed numbers of hits. It may only shrink: -update
// writes it.
const left = "testdata/left.txt"

// TestPhrases: no file has more hits than the list allows; a file that is not in
// the list may have none.
func TestPhrases(t *testing.T) {
	literals := make([]string, len(phrases)) // a text without it has no hit, which takes a tenth of the time to see
	for i, phrase := range phrases {
		literals[i] = literal(phrase.re)
	}
	allowed := readLeft(t)
	found := map[string]int{}
	for _, file := range files(t) {
		for _, p := range texts(t, file) {
			small := strings.ToLower(p.text)
			for i, phrase := range phrases {
				if !strings.Contains(small, literals[i]) {
					continue
				}
				for _, hit := range phrase.re.FindAllString(p.text, -1) {
					found[file]++
					if found[file] > allowed[file] && !pipetest.Update() {
						t.Errorf("%s:%d: %q: write %s", file, p.line, hit, phrase.plainer)
					}
				}
			}
		}
	}
	if pipetest.Update() {
		var list strings.Builder
		for _, file := range slices.Sorted(maps.Keys(found)) {
			fmt.Fprintf(&list, "%s %d\n", file, found[file])
		}
		pipetest.Golden(t, left, list.String())
		return
	}
	for _, file := range slices.Sorted(maps.Keys(allowed)) {
		if found[file] < allowed[file] {
			t.Logf("%s has %d, of %d that are allowed: -update shrinks the list", file, found[file], allowed[file])
		}
	}
}

var reVaries = regexp.MustCompile(`\(\?i\)|\\b|\([^)]*\)\??|\[[^\]]*\]|.\?`)

// literal is the longest text, in small letters, that all hits of a phrase contain.
func literal(phrase *regexp.Regexp) string {
	parts := strings.Split(strings.ToLower(reVaries.ReplaceAllString(phrase.String(), "\x00")), "\x00")
	return slices.MaxFunc(parts, func(a, b string) int { return len(a) - len(b) })
}

func readLeft(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(left)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		name, n := "", 0
		if _, err := fmt.Sscan(line, &name, &n); err != nil {
			t.Fatalf("%s: %q: %v", left, line, err)
		}
		allowed[name] = n
	}
	return allowed
}

// files are the paths of the project's texts: Go, JavaScript and Markdown.
func files(t *testing.T) (list []string) {
	t.Helper()
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "node_modules" || name == "testdata" || name != "." && strings.HasPrefix(name, ".")), path == "tests/words":
			return fs.SkipDir
		case !d.IsDir() && slices.Contains([]string{".go", ".js", ".cjs", ".md"}, filepath.Ext(name)):
			list = append(list, path)
		}
		return nil
	})
	if err != nil || len(list) < 500 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	return list
}

// part is a piece of text for people, and its first line.
type part struct {
	text string
	line int
}

// texts are the comments and strings of a Go file, and the lines of any other.
func texts(t *testing.T, file string) (list []part) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(file) != ".go" {
		lines := bufio.NewScanner(strings.NewReader(string(text)))
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			list = append(list, part{lines.Text(), n})
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		return list
	}
	set := token.NewFileSet()
	at := set.AddFile(file, -1, len(text))
	var s scanner.Scanner
	s.Init(at, text, nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return list
		case token.COMMENT, token.STRING:
			list = append(list, part{lit, set.Position(pos).Line})
		}
	}
}
