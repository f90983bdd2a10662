package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"pwpipe/internal/pipetest"
)

var port = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// TestTranscripts runs testdata/*.txtar with the real binary and a real browser. The
// comment of each says what it shows and, on a line "args: …", how pwpipe is started. The
// file "in" is written to stdin, and stdout must equal the file "out". With a line "one at
// a time" each request waits for the reply to the one before, where pages would otherwise
// overtake each other. SITE stands for the address of the sample site.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			site := strings.TrimPrefix(pipetest.Site(t), "http://")
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"--base-url", "http://" + site}
			run := pipetest.Run
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
			if pipetest.Update() {
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
	p := pipetest.Start(t, args...)
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
