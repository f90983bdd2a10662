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

var (
	port   = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	stamp  = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z`)
	slowly = regexp.MustCompile(`- document \(the browser was slow: [^)]*\)\\n`)
	begins = regexp.MustCompile(`(?m)^in a new pwpipe( with .*)?$`)
)

// TestTranscripts runs testdata/*.txtar with the real binary and a real browser. The comment of each says what it
// shows. The file "in" is written to stdin, and stdout must equal the file "out". With a line "one at a time" each
// request waits for the reply to the one before, where pages would otherwise overtake each other. SITE stands for
// the address of the sample site, TIME for the time in a file's name. A transcript with the line "in a new pwpipe",
// or "in a new pwpipe with --flags", has one to itself. The others share one, in their order, each on a blank page.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	groups := [][]string{nil}
	for _, file := range files {
		if begins.MatchString(comment(t, file)) {
			groups = append(groups, []string{file})
		} else {
			groups[0] = append(groups[0], file)
		}
	}
	for _, group := range groups {
		t.Run("from "+filepath.Base(group[0]), func(t *testing.T) {
			t.Parallel()
			_, flags, _ := strings.Cut(begins.FindString(comment(t, group[0])), " with ")
			p, whole := pipetest.StartSite(t, strings.Fields(flags)...), t
			for n, file := range group {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					p.T = t
					defer func() { p.T = whole }()
					if n > 0 {
						p.Call("nav", list("about:blank"))
					}
					transcript(p, file, n+1 == len(group))
				})
			}
		})
	}
}

// comment is a transcript's.
func comment(t testing.TB, file string) string {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(a.Comment)
}

// transcript compares the replies to the requests of a file. After the last one the input ends.
func transcript(p *pipetest.Pipe, file string, last bool) {
	t, site := p.T, strings.TrimPrefix(p.Site, "http://")
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	replies, stepwise := 0, strings.Contains(string(a.Comment), "\none at a time\n")
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(string(part(a, "in").Data), "SITE", site)) {
		p.Send(strings.TrimSuffix(line, "\n"))
		if !strings.Contains(line, `"method":"notifications/`) {
			replies++
		}
		for ; stepwise && replies > 0; replies-- {
			out.WriteString(p.Line() + "\n")
		}
	}
	for range replies {
		out.WriteString(p.Line() + "\n")
	}
	if last {
		rest, _ := p.Close()
		out.WriteString(rest)
	}
	stdout := port.ReplaceAllString(strings.ReplaceAll(out.String(), site, "SITE"), "SITE")
	stdout = slowly.ReplaceAllString(stamp.ReplaceAllString(stdout, "TIME"), "")
	if pipetest.Update() {
		part(a, "out").Data = []byte(stdout)
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(part(a, "out").Data), stdout); d != "" {
		t.Errorf("(-transcript +now):\n%s\nstderr: %s", d, p.Stderr())
	}
}

// part is a file of a transcript, which is made if there is none.
func part(a *txtar.Archive, name string) *txtar.File {
	for i := range a.Files {
		if a.Files[i].Name == name {
			return &a.Files[i]
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name})
	return &a.Files[len(a.Files)-1]
}
