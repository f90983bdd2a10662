package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestPromisesFitAPage: what is promised is read in a minute, and each promise leads to its
// details and to its test. TestDocLinks and TestDocTests follow both.
func TestPromisesFitAPage(t *testing.T) {
	page := readPage(t, "../../docs/guard.md")
	if n := strings.Count(page, "\n"); n > 50 {
		t.Errorf("docs/guard.md has %d lines; details belong into docs/walls.md, what was tried into docs/attacks.md", n)
	}
	_, table, _ := strings.Cut(page, "| wall | promise | details | `go test` |\n|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if len(rows) < 10 {
		t.Fatalf("%d promises", len(rows))
	}
	row := regexp.MustCompile("^\\| [^|]+ \\| [^|]+ \\| [^|]*\\]\\([a-z]+\\.md#[^|]+ \\| `\\./[^|]+` \\|$")
	for _, r := range rows {
		if !row.MatchString(r) {
			t.Errorf("a promise without its details or its test: %s", r)
		}
	}
}
