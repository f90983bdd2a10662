// Package transcript runs tests that are texts: what goes into pwpipe, and what must come out.
package transcript

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"pwpipe/internal/pipetest"
)

// RunAll runs the files testdata/*.txtar with the real binary and a real browser. The comment of each says what it
// shows, and how it is run:
//
//   - Each line of the file "in" is written to stdin, and stdout must equal the file "out".
//   - "one at a time": each request waits for the reply to the one before, where pages would otherwise overtake each
//     other.
//   - "in a new pwpipe", or "in a new pwpipe with NAME=value --flags": it has one to itself. The others share one, in
//     their order, each on a blank page.
//   - "in a new service", or "in a new service with NAME=value --flags": "in" are requests over HTTP, METHOD PATH BODY,
//     or calls over MCP without a session of the protocol: MCP CLIENT TOOL ARGUMENTS, or MCP CLIENT METHOD PARAMETERS.
//     Lines that follow with a space in front are headers, "Name: value" (no value: without this header), name one
//     header of the response that is shown, or are a pattern, /…/: of the body only its matches are shown. "out" has
//     each status, those headers, and the body.
//   - "in a shell": "in" are command lines, in DIR, and "out" has the exit status and the output of each.
//   - "in CI: why": it runs where [pipetest.InCI] does.
//
// SITE stands for the address of the sample site, SERVICE for that of the service, TIME for the time in a file's name,
// DIR for a folder of the transcript's own, ID1, ID2, … for ids of sessions (whole, or the UUID after another prefix) in
// the order in which they are seen. All other files of a transcript lie in DIR before it begins. One named "after NAME" is
// what DIR/NAME holds when the process has ended.
func RunAll(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	var shared []*transcript
	for _, file := range files {
		s := readTranscript(t, file)
		if s.inCI != nil && !pipetest.Thorough() && !pipetest.Update() {
			t.Run(s.name(), func(t *testing.T) { pipetest.InCI(t, s.inCI[1]) })
			continue
		}
		if s.begins == nil {
			shared = append(shared, s)
			continue
		}
		t.Run(s.name(), func(t *testing.T) {
			t.Parallel()
			s.prepare(t)
			s.inItsOwn(t)
		})
	}
	if len(shared) == 0 {
		return
	}
	t.Run("in one pwpipe", func(t *testing.T) {
		t.Parallel()
		p, whole := pipetest.StartSite(t), t
		for n, s := range shared {
			t.Run(s.name(), func(t *testing.T) {
				p.T = t
				defer func() { p.T = whole }()
				s.prepare(t)
				if n > 0 {
					p.Call("nav", pipetest.List("about:blank"))
				}
				s.overPipe(p, n+1 == len(shared))
			})
		}
	})
}

// inItsOwn runs it in a process that no other has.
func (s *transcript) inItsOwn(t *testing.T) {
	t.Helper()
	switch s.begins[1] {
	case "new service":
		s.overHTTP(pipetest.StartService(t, s.settings...))
		return
	case "shell":
		s.inShell()
		return
	}
	var env, args []string
	for _, one := range s.settings {
		if variable.MatchString(one) {
			env = append(env, one)
		} else {
			args = append(args, one)
		}
	}
	site := pipetest.Site(t)
	cmd := exec.Command(pipetest.Binary(t), append([]string{"--base-url", site}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	p := pipetest.StartCmd(t, cmd)
	p.Site = site
	s.overPipe(p, true)
}

var (
	begins   = regexp.MustCompile(`(?m)^in a (new pwpipe|new service|shell)(?: with (.*))?$`)
	inCI     = regexp.MustCompile(`(?m)^in CI: (.+)$`)
	variable = regexp.MustCompile(`^[A-Z_]+=`)
	port     = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	stamp    = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z`)
	slowly   = regexp.MustCompile(`- document \(the browser was slow: [^)]*\)\\n`)
	ids      = regexp.MustCompile(`(?:\bs_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[A-Z2-7]{26}\b`)
)

// transcript is one file.
type transcript struct {
	T        testing.TB
	file     string
	archive  *txtar.Archive
	begins   []string // the line "in a new …", in its parts; none where it is shared
	inCI     []string // the line "in CI: …", in its parts; none where it always runs
	settings []string // flags and variables
	site     string
	service  string
	dir      string
	ids      []string // as they were seen
}

func readTranscript(t *testing.T, file string) *transcript {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	comment := string(a.Comment)
	return &transcript{file: file, archive: a,
		begins: begins.FindStringSubmatch(comment), inCI: inCI.FindStringSubmatch(comment)}
}

func (s *transcript) name() string { return strings.TrimSuffix(filepath.Base(s.file), ".txtar") }

// prepare makes DIR, with the transcript's files.
func (s *transcript) prepare(t *testing.T) {
	t.Helper()
	s.T, s.dir = t, t.TempDir()
	for _, f := range s.archive.Files {
		if f.Name == "in" || f.Name == "out" || strings.HasPrefix(f.Name, "after ") {
			continue
		}
		if err := os.WriteFile(filepath.Join(s.dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if s.begins != nil {
		s.settings = strings.Fields(strings.ReplaceAll(s.begins[2], "DIR", s.dir))
	}
}

// overPipe writes the requests, and compares the replies. After the last transcript the input ends.
func (s *transcript) overPipe(p *pipetest.Pipe, last bool) {
	s.T.Helper()
	s.site = strings.TrimPrefix(p.Site, "http://")
	replies, stepwise := 0, strings.Contains(string(s.archive.Comment), "\none at a time\n")
	var out strings.Builder
	for line := range strings.Lines(string(s.part("in").Data)) {
		p.Send(s.given(strings.TrimSuffix(line, "\n")))
		if !strings.Contains(line, `"method":"notifications/`) {
			replies++
		}
		for ; stepwise && replies > 0; replies-- {
			out.WriteString(s.seen(p.Line()) + "\n")
		}
	}
	for range replies {
		out.WriteString(s.seen(p.Line()) + "\n")
	}
	if last {
		rest, _ := p.Close()
		out.WriteString(s.seen(rest))
	}
	s.compare("out", out.String(), p.Stderr)
	s.compareFiles(p.Stderr)
}

var request = regexp.MustCompile(`(?m)^[A-Z]+ .*\n(?: .*\n)*`)

// overHTTP sends the requests, and compares the responses.
func (s *transcript) overHTTP(svc *pipetest.Service) {
	s.T.Helper()
	s.site, s.service = strings.TrimPrefix(svc.Site, "http://"), strings.TrimPrefix(svc.URL, "http://")
	var out strings.Builder
	for _, text := range request.FindAllString(string(s.part("in").Data), -1) {
		lines := strings.Split(strings.TrimSuffix(s.given(text), "\n"), "\n")
		var headers, shown, patterns []string
		for _, line := range lines[1:] {
			line = strings.TrimSpace(line)
			if name, value, given := strings.Cut(line, ":"); strings.HasPrefix(line, "/") {
				patterns = append(patterns, strings.Trim(line, "/"))
			} else if given {
				headers = append(headers, name+": "+strings.TrimSpace(value))
			} else {
				shown = append(shown, name)
			}
		}
		status, body, head := s.send(svc, lines[0], headers)
		fmt.Fprintf(&out, "%d", status)
		for _, name := range shown {
			fmt.Fprintf(&out, " %s: %s", name, s.seen(strings.Join(head.Values(name), ", ")))
		}
		parts := []string{"", s.seen(body)}
		if patterns != nil {
			pattern := regexp.MustCompile(strings.Join(patterns, "|"))
			parts = append(parts[:1], pattern.FindAllString(parts[1], -1)...)
		}
		_, _ = io.WriteString(&out, strings.TrimSuffix(strings.Join(parts, " "), " ")+"\n")
	}
	s.compare("out", out.String(), svc.Log)
	svc.Stop()
	s.compareFiles(svc.Log)
}

// send sends one request, or call over MCP.
func (s *transcript) send(svc *pipetest.Service, line string, headers []string) (int, string, http.Header) {
	s.T.Helper()
	what := strings.SplitN(line+" ", " ", 3)
	if what[0] != "MCP" {
		return svc.Do(what[0], what[1], strings.TrimSpace(what[2]), headers...)
	}
	client := pipetest.MCP{Service: svc, Name: what[1]}
	method, text, _ := strings.Cut(what[2], " ")
	args := pipetest.Object{}
	if text = strings.TrimSpace(text); text != "" {
		args = pipetest.Decode[pipetest.Object](s.T, text)
	}
	if !strings.Contains(method, "/") {
		return client.Called(method, args, headers)
	}
	if uri, ok := args["uri"].(string); ok {
		headers = append([]string{"Mcp-Name: " + uri}, headers...)
	}
	return client.Asked(method, args, headers)
}

// inShell runs the command lines.
func (s *transcript) inShell() {
	s.T.Helper()
	s.site = strings.TrimPrefix(pipetest.Site(s.T), "http://")
	path := filepath.Dir(pipetest.Binary(s.T)) + string(filepath.ListSeparator) + os.Getenv("PATH")
	var out strings.Builder
	for line := range strings.Lines(string(s.part("in").Data)) {
		cmd := exec.Command("sh", "-c", s.given(line))
		cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "PATH="+path)
		text, _ := cmd.CombinedOutput()
		fmt.Fprintf(&out, "%d %s\n", cmd.ProcessState.ExitCode(), strings.TrimSuffix(s.seen(string(text)), "\n"))
	}
	s.compare("out", out.String(), func() string { return "" })
}

func (s *transcript) compareFiles(log func() string) {
	s.T.Helper()
	for _, f := range s.archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "after "); ok {
			text, err := os.ReadFile(filepath.Join(s.dir, name))
			if err != nil {
				text = fmt.Appendln(nil, "no such file")
			}
			s.compare(f.Name, s.seen(string(text)), log)
		}
	}
}

// given is what a line of the transcript stands for.
func (s *transcript) given(line string) string {
	line = strings.NewReplacer("SITE", s.site, "SERVICE", s.service, "DIR", s.dir).Replace(line)
	for n := len(s.ids); n > 0; n-- { // ID12 before ID1
		line = strings.ReplaceAll(line, fmt.Sprint("ID", n), s.ids[n-1])
	}
	return line
}

// seen is what came, as the transcript has it.
func (s *transcript) seen(text string) string {
	if s.service != "" {
		text = strings.ReplaceAll(text, s.service, "SERVICE")
	}
	text = port.ReplaceAllString(strings.ReplaceAll(text, s.site, "SITE"), "SITE")
	text = slowly.ReplaceAllString(stamp.ReplaceAllString(strings.ReplaceAll(text, s.dir, "DIR"), "TIME"), "")
	return ids.ReplaceAllStringFunc(text, func(id string) string {
		for n, known := range s.ids {
			if known == id {
				return fmt.Sprintf("ID%d", n+1)
			}
		}
		s.ids = append(s.ids, id)
		return fmt.Sprintf("ID%d", len(s.ids))
	})
}

// compare wants a text to be what the transcript has, or keeps it with -update.
func (s *transcript) compare(name, text string, log func() string) {
	s.T.Helper()
	if pipetest.Update() {
		s.part(name).Data = []byte(text)
		if err := os.WriteFile(s.file, txtar.Format(s.archive), 0o644); err != nil {
			s.T.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(s.part(name).Data), text); d != "" {
		s.T.Errorf("%s (-transcript +now):\n%s\nstderr: %s", name, d, log())
	}
}

// part is a file of the transcript, which is made if there is none.
func (s *transcript) part(name string) *txtar.File {
	for i := range s.archive.Files {
		if s.archive.Files[i].Name == name {
			return &s.archive.Files[i]
		}
	}
	s.archive.Files = append(s.archive.Files, txtar.File{Name: name})
	return &s.archive.Files[len(s.archive.Files)-1]
}
