package mcptools

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
)

// kept holds the state of these tools, by session.
var kept = browser.State[*browser.Session, memory]{New: func(*browser.Session) *memory {
	return &memory{options: &Options{}, since: map[string]int64{}, asked: map[string]int64{},
		logs: map[string]*consoleLog{}, isolated: map[string]string{}}
}}

// Use sets the options for a session.
func Use(s *browser.Session, o *Options) {
	m := kept.Of(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.options = o
}

func optionsOf(s *browser.Session) *Options {
	m := kept.Of(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.options
}

// Hooks keep dialogs and file choosers open, and keep traces.
var Hooks = browser.Hooks{
	Context: func(s *browser.Session, o *browser.Opened) error {
		if id := optionsOf(s).TestID; id != "" {
			o.Engine.Driver.Playwright.Selectors.SetTestIdAttribute(id)
		}
		kept.Of(s).hearsLoss(o.Engine)
		return traced(s, o)
	},
	Closing: keepTrace,
	Page: func(p *browser.Page) {
		m := kept.Of(p.Session)
		if !optionsOf(p.Session).Tools {
			return
		}
		p.PW.OnCrash(func(playwright.Page) { m.crashes(p) })
		go p.PW.OnDownload(func(d playwright.Download) { go m.saves(d) })
		p.OnLeave(func() { m.leaves(p) })
		p.OnAttach(func(s playwright.CDPSession) { m.hearsClosed(p, s) })
		go p.PW.OnFileChooser(func(f playwright.FileChooser) {
			m.add(&modal{kind: "fileChooser", words: "File chooser", by: "browser_file_upload", chooser: f})
		})
	},
	Dialog: func(s *browser.Session, p *browser.Page, d playwright.Dialog) bool {
		if !optionsOf(s).Tools {
			return false
		}
		words := fmt.Sprintf("%q dialog with message \"%s\"", d.Type(), d.Message())
		kept.Of(s).add(&modal{kind: "dialog", words: words, by: "browser_handle_dialog", page: p, dialog: d})
		return true
	},
}

// modal is an open dialog or file chooser that waits for an answer.
type modal struct {
	kind, words, by string
	page            *browser.Page // of a dialog; nil if it is not known
	dialog          playwright.Dialog
	chooser         playwright.FileChooser
}

// download is a download that has begun or, with a path, is saved.
type download struct{ name, path string }

// memory is the state of a session.
type memory struct {
	mu      sync.Mutex
	options *Options
	modals  []*modal
	folder  string // of the session's log
	current string // the page that the last call used
	losses
	changed chan struct{} // closed when a modal opens
	tabs    map[string]tab
	since   map[string]int64 // by page: the last event before its document
	asked   map[string]int64 // by page: the last event before the last browser_navigate
	logs    map[string]*consoleLog
	// isolated are the names of contexts, by handle.
	isolated map[string]string
	mocks    []mocked
	// downloads are those that no answer has reported yet: a beginning and an end are two entries.
	downloads []download
}

// hearsLoss tells who started the server when the browser is lost. No call does: the next one works
// on another browser.
func (m *memory) hearsLoss(e *browser.Engine) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.heard == e || m.options.Say == nil {
		return
	}
	m.heard = e
	go func() {
		<-e.Gone
		m.mu.Lock()
		isHeard := m.heard == e
		if isHeard { // else another one is heard by now
			m.heard = nil
		}
		m.mu.Unlock()
		if isHeard && !e.LostAt.IsZero() {
			m.options.Say("browser disconnected (" + e.Reason + "); " +
				"the next call has a new connection or a new browser")
		}
	}()
}

// closes notes that the browser may go: nobody is told then.
func (m *memory) closes() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heard, m.wrecks = nil, nil
}

// losses are what a session has lost.
type losses struct {
	crashed bool            // the current page has crashed, and no page has replaced it
	reset   string          // the page that replaced it, until its console says so
	heard   *browser.Engine // whose loss is told
	wrecks  []string        // where pages were, but the current one, that have crashed, until they are closed
}

// maxWrecks bounds how many crashed pages are listed.
const maxWrecks = 20

// crashes notes the crash of a page, which the browser then closes.
func (m *memory) crashes(p *browser.Page) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.Name == m.current {
		m.crashed = true
	} else if len(m.wrecks) < maxWrecks {
		m.wrecks = append(m.wrecks, p.Short(p.PW.URL(), 1000))
	}
}

// wreckLines lists the other pages that crashed, behind the open ones.
func (m *memory) wreckLines(open int) (lines []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, at := range m.wrecks {
		lines = append(lines, fmt.Sprintf("- %d: [](%s) [crashed]", open+i, at))
	}
	return lines
}

// clears takes one of these off the list, by its place there.
func (m *memory) clears(i int) (was bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if was = i >= 0 && i < len(m.wrecks); was {
		m.wrecks = slices.Delete(m.wrecks, i, i+1)
	}
	return was
}

// takeCrash reports, once, whether the current page has crashed.
func (m *memory) takeCrash() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.crashed
	m.crashed = false
	return was
}

// isolates notes the name of a context.
func (m *memory) isolates(ctx, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.isolated[ctx] = name
}

// isolatedAs is the name of a context, "" for one without.
func (m *memory) isolatedAs(ctx string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.isolated[ctx]
}

// uses notes the page that a call uses, and whether it replaces one that crashed.
func (m *memory) uses(p *browser.Page, replaces bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.current = p.Name
	if replaces {
		m.reset = p.Name
	}
}

// open returns the modal to answer first, nil for none.
func (m *memory) open() *modal {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.modals) == 0 {
		return nil
	}
	return m.modals[0]
}

func (m *memory) modalLines() (lines []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range m.modals {
		lines = append(lines, fmt.Sprintf("- [%s]: can be handled by %s", continued(o.words), o.by))
	}
	return lines
}

func (m *memory) add(o *modal) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.modals = append(m.modals, o)
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
}

func (m *memory) remove(o *modal) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.modals = slices.DeleteFunc(m.modals, func(other *modal) bool { return other == o })
}

// hearsClosed removes a page's dialog when it is gone: another client of the browser, or a person,
// may have answered it.
func (m *memory) hearsClosed(p *browser.Page, s playwright.CDPSession) {
	s.On("Page.javascriptDialogClosed", func(map[string]any) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.modals = slices.DeleteFunc(m.modals, func(o *modal) bool { return o.dialog != nil && o.page == p })
	})
	_, _ = s.Send("Page.enable", nil)
}

// changes returns a channel that is closed when a modal opens.
func (m *memory) changes() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.changed == nil {
		m.changed = make(chan struct{})
	}
	return m.changed
}

var notInNames = regexp.MustCompile(`[^0-9A-Za-z.\x{80}-\x{10FFFF}-]+`)

// saves saves a download into the output folder. A name from the server can't choose another
// folder.
func (m *memory) saves(d playwright.Download) {
	name := d.SuggestedFilename()
	m.mu.Lock()
	m.downloads = append(m.downloads, download{name: name})
	m.mu.Unlock()
	cwd, err := os.Getwd()
	if err != nil {
		return
	}
	path := filepath.Join(outputDir(cwd), filepath.Base(notInNames.ReplaceAllString(name, "-")))
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	if path, err = files.SavedBeside(path, d.SaveAs); err != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.downloads = append(m.downloads, download{name, path})
}

// downloading reports whether there is a download that no answer has reported.
func (m *memory) downloading() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.downloads) > 0
}
