package pipetest

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite generated files and transcripts")

// Update reports whether to rewrite generated files.
func Update() bool { return *update }

// Stamp stands below a table of measurements: Golden writes a day and a commit in its place.
const Stamp = "Measured on DATE at COMMIT."

var stamped = regexp.MustCompile(`Measured on [0-9-]{10} at [0-9a-f]{8}\.`)

// Golden compares text with a generated file, or writes it with -update. The day and the
// commit of a [Stamp] are not compared, and stay while the rest does.
func Golden(t testing.TB, file, want string) {
	t.Helper()
	was, err := os.ReadFile(file)
	bare := stamped.ReplaceAllLiteralString(string(was), Stamp)
	if err == nil && bare == stamped.ReplaceAllLiteralString(want, Stamp) {
		return
	}
	if Update() {
		if strings.Contains(want, Stamp) {
			want = strings.ReplaceAll(want, Stamp, stampNow(t))
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v; `go test ./... -update` writes it", err)
	}
	t.Errorf("%s is stale; `go test ./... -update` rewrites it (-fresh +file):\n%s", file, cmp.Diff(want, string(was)))
}

// stampNow is a [Stamp] of today's, with the checkout's commit.
func stampNow(t testing.TB) string {
	t.Helper()
	commit, err := exec.Command("git", "rev-parse", "--short=8", "HEAD").Output()
	if err != nil {
		t.Fatalf("the commit of a table: %v", err)
	}
	return fmt.Sprintf("Measured on %s at %s.", time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(commit)))
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
