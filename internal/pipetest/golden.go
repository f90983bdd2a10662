package pipetest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite generated files and transcripts")

// Update reports whether to rewrite generated files.
func Update() bool { return *update }

// Golden compares text with a generated file, or writes it with -update.
func Golden(t testing.TB, file, want string) {
	t.Helper()
	if Update() {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; `go test ./... -update` writes it", err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("%s is stale; `go test ./... -update` rewrites it (-fresh +file):\n%s", file, d)
	}
}

// Section returns a document with content between <!-- name --> and <!-- /name -->.
func Section(t testing.TB, document, name, content string) string {
	t.Helper()
	begin, end := "<!-- "+name+" -->", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(document, begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("the document has no part between %s and %s", begin, end)
	}
	return before + begin + content + end + after
}

// GoldenSection is Golden for one [Section] of a file.
func GoldenSection(t testing.TB, file, name, content string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	Golden(t, file, Section(t, string(text), name, content))
}
