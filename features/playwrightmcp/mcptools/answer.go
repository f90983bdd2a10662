package mcptools

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"pwpipe/provider"
)

// Answer is an answer in the sections of Playwright MCP.
type Answer struct {
	Text     string           `json:"text" doc:"sections: result, code, page, snapshot"`
	Failed   bool             `json:"failed,omitempty" own:"yes" doc:"whether it is an error"`
	Pictures []provider.Image `json:"pictures,omitempty" own:"picture" doc:"what it shows"`
}

// Content returns the text and the pictures, for dialects that show pictures: [provider.Content].
func (a Answer) Content() (string, []provider.Image) { return a.Text, a.Pictures }

// IsError reports whether the call failed: [provider.Sections].
func (a Answer) IsError() bool { return a.Failed }

// parts holds the sections of an answer while it is made.
type parts struct {
	mu                                                        sync.Mutex // an interrupted call goes on
	errors, results, tabs, shownPage, modal, snapshot, events []string
	code                                                      []statement
	yaml                                                      bool // the answer contains the snapshot
	pictures                                                  []provider.Image
	look                                                      look
	outline                                                   string // the snapshot, also if a file holds it
	offers                                                    string // lines about the page's tools, above the snapshot
}

// look says what an answer shows of the page, besides its result.
type look struct {
	snapshot bool   // after an act: a snapshot, in a file
	whole    bool   // browser_snapshot: the answer contains the snapshot, unless file is set
	file     string // browser_snapshot writes the snapshot to it
	target   string // browser_snapshot shows only this element
	depth    *int
	boxes    bool
	closed   bool // no page is left
}

func (p *parts) result(lines ...string) { p.with(func() { p.results = append(p.results, lines...) }) }
func (p *parts) failed(line string)     { p.with(func() { p.errors = append(p.errors, line) }) }
func (p *parts) says(s statement)       { p.with(func() { p.code = append(p.code, s) }) }

// ran adds code that is TypeScript in each language.
func (p *parts) ran(lines ...string) {
	for _, line := range lines {
		p.says(statement{text: line})
	}
}

// acted adds a call on an element, or on the page if there is none.
func (p *parts) acted(element chain, method string, args ...any) {
	p.says(statement{element: element, link: link{method, args}})
}

// verified answers a check that holds.
func (p *parts) verified(s statement) error {
	s.check = true
	p.says(s)
	return p.done(nil, "Done")
}

// done answers the lines of a tool that has done its work, or returns its error.
func (p *parts) done(err error, lines ...string) error {
	if err == nil {
		p.result(lines...)
	}
	return err
}

// snapshotAfter makes the answer name a file with a snapshot of the page after the call.
func (p *parts) snapshotAfter() { p.with(func() { p.look.snapshot = true }) }

func (p *parts) with(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// soFar copies the sections that the call has written until now.
func (p *parts) soFar() *parts {
	p.mu.Lock()
	defer p.mu.Unlock()
	return &parts{errors: slices.Clone(p.errors), results: slices.Clone(p.results), code: slices.Clone(p.code),
		look:     p.look,
		pictures: p.pictures}
}

// Whatever begins another line: for a program (Python's has three more), a terminal or a model.
const lineBreak = `\r\n|[\n\r\v\f\x1C-\x1E\x{85}\x{2028}\x{2029}]`

var (
	reBreak   = regexp.MustCompile(lineBreak)
	reHeading = regexp.MustCompile(`(^|` + lineBreak + `)([\s\p{Z}\p{Cf}\p{Cc}]*)(###)`)
)

// continued indents the lines of a page's text after the first: none of them looks like a line of
// ours.
func continued(text string) string {
	lines := reBreak.Split(text, -1)
	for i, line := range lines[1:] {
		if !strings.HasPrefix(line, "    ") {
			lines[i+1] = "    " + line
		}
	}
	return strings.Join(lines, "\n")
}

// headless makes what looks like a heading of a section another text: texts of pages that must stay
// as they are, such as a response's body, have lines of their own.
func headless(text string) string { return reHeading.ReplaceAllString(text, `${1}${2}\${3}`) }

// answer joins the sections.
func (p *parts) answer(o *Options) Answer {
	var b strings.Builder
	section := func(title, frame string, lines []string) {
		if len(lines) == 0 {
			return
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("### " + title)
		if frame != "" {
			b.WriteString("\n```" + frame)
		}
		for _, line := range lines {
			b.WriteString("\n" + headless(line))
		}
		if frame != "" {
			b.WriteString("\n```")
		}
	}
	section("Error", "", p.errors)
	section("Result", "", p.results)
	if d := dialects[o.Code]; d != nil { // none has no dialect
		frame := o.Code
		if d == typescript {
			frame = "js"
		}
		section("Ran Playwright code", frame, d.lines(p.code))
	}
	section("Open tabs", "", p.tabs)
	section("Page", "", p.shownPage)
	section("Modal state", "", p.modal)
	if p.yaml {
		section("Snapshot", "yaml", p.snapshot)
	} else {
		section("Snapshot", "", p.snapshot)
	}
	section("Events", "", p.events)
	a := Answer{Text: strings.ToValidUTF8(b.String(), "\uFFFD"), Failed: len(p.errors) > 0}
	if o.Images != "omit" {
		a.Pictures = p.pictures
	}
	if o.Images == "only" && len(a.Pictures) > 0 {
		a.Text = ""
	}
	return a
}
