package pipetest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
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

// GoldenPart is [Golden] for the part of a file between <!-- name --> and <!-- /name -->.
func GoldenPart(t testing.TB, file, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no part between %s and %s", file, begin, end)
	}
	Golden(t, file, before+begin+want+end+after)
}

var port = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// Transcripts runs every txtar file of a folder. The comment says what it shows and, on
// a line "args: …", how pwpipe is started. The file "in" is written to stdin, and
// stdout must equal the file "out". With a line "one at a time" each request waits for
// the reply to the one before, where pages would otherwise overtake each other. SITE
// stands for the address of the sample site.
func Transcripts(t *testing.T, glob string) {
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts match %s", glob)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			site := strings.TrimPrefix(Site(t), "http://")
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"--base-url", "http://" + site}
			run := Run
			for line := range strings.Lines(string(a.Comment)) {
				if rest, ok := strings.CutPrefix(line, "args:"); ok {
					args = append(args, strings.Fields(rest)...)
				}
				if strings.TrimSpace(line) == "one at a time" {
					run = runStepwise
				}
			}
			in := strings.ReplaceAll(string(member(a, "in")), "SITE", site)
			stdout, stderr, _ := run(t, in, args...)
			if strings.Contains(stderr, "DATA RACE") {
				t.Errorf("data race:\n%s", stderr)
			}
			stdout = port.ReplaceAllString(strings.ReplaceAll(stdout, site, "SITE"), "SITE")
			if Update() {
				setMember(a, "out", []byte(stdout))
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(member(a, "out")), stdout); d != "" {
				t.Errorf("(-transcript +now):\n%s\nstderr: %s", d, stderr)
			}
		})
	}
}

// runStepwise is Run with each line sent after the reply to the one before.
func runStepwise(t testing.TB, input string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	p := Start(t, args...)
	var out strings.Builder
	for line := range strings.Lines(input) {
		p.Send(strings.TrimSuffix(line, "\n"))
		out.WriteString(p.Line() + "\n")
	}
	rest, status := p.Close()
	return out.String() + rest, p.Stderr(), status
}

func member(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func setMember(a *txtar.Archive, name string, data []byte) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = data
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: data})
}
