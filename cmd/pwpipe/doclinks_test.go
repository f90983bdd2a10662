package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocLinks: every link of README, docs and the other pages at the top leads to a file, and its
// anchor to a heading.
func TestDocLinks(t *testing.T) {
	tops, err := filepath.Glob("../../*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("../../docs", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			tops = append(tops, path)
		}
		return err
	})
	if err != nil || len(tops) < 30 {
		t.Fatalf("%d pages, %v", len(tops), err)
	}
	link := regexp.MustCompile(`\]\(([^)\s#:]*)(?:#([^)\s]+))?\)`)
	for _, page := range tops {
		for _, m := range link.FindAllStringSubmatch(outsideOfCode(readPage(t, page)), -1) {
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", page, err)
			} else if m[2] != "" && filepath.Ext(to) == ".md" && !hasHeading(readPage(t, to), m[2]) {
				t.Errorf("%s: %s has no heading %s", page, m[1], m[2])
			}
		}
	}
}

// TestDocTests: the tests that these pages name exist.
func TestDocTests(t *testing.T) {
	var all strings.Builder
	for _, folder := range []string{"cmd", "features", "handlers", "internal", "provider", "tests"} {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, "_test.go") {
				all.WriteString(readPage(t, path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, page := range []string{"../../docs/trouble.md", "../../docs/guard.md", "../../docs/walls.md", "../../docs/attacks.md"} {
		text := readPage(t, page)
		for _, name := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(text, -1) {
			if !strings.Contains(all.String(), "func "+name+"(") {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
		for _, m := range regexp.MustCompile("`(?:go test )?\\./([a-z]+/[a-z/]+)").FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
				t.Error(err)
			}
		}
	}
}

// outsideOfCode is a page without its fenced blocks and its spans of code.
func outsideOfCode(page string) string {
	page = regexp.MustCompile("(?ms)^ *```.*?^ *```").ReplaceAllString(page, "")
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllString(page, "")
}
