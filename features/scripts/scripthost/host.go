package scripthost

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"pwpipe/features/endpoint/cdpview"
	"pwpipe/features/scripts/nodesandbox"
)

// Host is what scripts of a session can reach. Its functions may be called from any
// goroutine, and with anything: the caller is taken for hostile. Pages and contexts are
// named by Chromium's ids.
type Host struct {
	// Serve lets a client use the session's virtual browser until it leaves.
	Serve func(ctx context.Context, client cdpview.Client) error
	// Context tells the options of one of the session's contexts.
	Context func(id string) (any, error)
	// NewContext opens one, CloseContext closes one, CloseBrowser all.
	NewContext   func(ctx context.Context, options ContextOptions) (id string, known any, err error)
	CloseContext func(id string) error
	CloseBrowser func() error
	// Film begins a film as WebM in an open file, and takes the file; nil where the
	// browser can't make one. remove is for one that can't be written.
	Film FilmMaker
	// Viewport and Media are what pages emulate.
	Viewport func(page string, width, height int) error
	Media    func(page string, options Media) error
	// Selector turns refs, and engines of ours, into selectors of Playwright's.
	Selector func(page, sel string, gone bool) (string, error)
	// Describe words a page for a result.
	Describe func(page string) string
	// Helper calls a function of a page at hand; what it answers is written as
	// JSON, the bytes of a picture aside.
	Helper func(ctx context.Context, name, page string, options json.RawMessage) (value any, picture []byte, err error)
	// Plain are functions that answer at once.
	Plain func(name, page string, arg json.RawMessage) (any, error)
	// Explain says what is known of a call that failed: what is the matter with the
	// element, or what the error should have said of a URL. "" is nothing.
	Explain func(ctx context.Context, about About) string
	// Request judges a URL that is asked for, Upload a file that a page is given.
	Request func(url string) error
	Upload  func(path string) error
	// HAR reads a HAR that is to be replayed, and answers the path of a copy that
	// names no other files, there until done is called.
	HAR func(path string) (usable string, done func(), err error)
	// Dial connects to a host, where scripts may.
	Dial func(ctx context.Context, to Address) (net.Conn, error)
	// Hears says whether scripts speak HTTP in the plain to a host, also where it is
	// for https.
	Hears func(to Address) bool

	// Within opens the allowed folder that an absolute path leads into, with
	// links followed, and names the path inside of it.
	Within func(path string) (folder *os.Root, name string, err error)
	// Opened refuses a file that is open, if it is one that scripts may not use.
	Opened func(*os.File) error
	// Download is the path of a download, by the name that Playwright has for it.
	Download func(name string) (string, error)
	// Folders are those in which scripts may read and write files: relative
	// paths begin in the first, the last is for temporary ones.
	Folders []string
	// Mask hides secrets in texts that scripts write to files; nil for none.
	Mask func(string) string
	// Wrote is called when a run has ended, for each file that its code wrote; path is
	// absolute.
	Wrote func(ctx context.Context, path string)
	// Unlisted tells the names that the listing of a folder leaves out.
	Unlisted func(name string) bool
	// Shared tells the folders that hold what is others' too: they can't be
	// removed or moved as a whole.
	Shared func(path string) bool
}

// home is the folder that relative paths start from.
func (h Host) home() string {
	if len(h.Folders) == 0 {
		return string(filepath.Separator)
	}
	return h.Folders[0]
}

// temp is the folder for temporary files.
func (h Host) temp() string {
	if len(h.Folders) == 0 {
		return h.home()
	}
	return h.Folders[len(h.Folders)-1]
}

// within opens the allowed folder that a path leads into.
func (h Host) within(path string) (*os.Root, string, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, "", fmt.Errorf("not a path: %q", path)
	}
	if !filepath.IsAbs(path) {
		path = h.home() + string(filepath.Separator) + path // not Join: ".." after a link is the link's business
	}
	root, name, err := h.Within(path)
	if err != nil {
		return nil, "", fmt.Errorf("EACCES: %w", err)
	}
	return root, name, nil
}

// Programs are what runs there.
type Programs struct {
	Node   string            // absolute
	Core   string            // the folder of playwright-core
	Test   string            // the folder of playwright, which has expect
	Engine map[string]string // sources of selector engines, by name: ref, names
	Temp   string            // a folder for the process's own folder; it is removed with the driver's
	Memory int64             // bytes that it may hold
	// Together are the processes that may hold so much with it, nil for none.
	Together *nodesandbox.Group
}

// Line is a line that a script wrote to the console.
type Line struct {
	Level string `json:"level" doc:"log, info, warn, error, …"`
	Text  string `json:"text" doc:"line"`
}

// Result is what a script answered.
type Result struct {
	Value   json.RawMessage // nil for undefined
	Console []Line
	Images  [][]byte
	Went    string // the URL that its last page.goto named, and has led to; else ""
	Clicked bool   // in the document that the page has
}

// FilmMaker begins a film in a file, which it then owns. The film ends at most bytes. It
// calls remove if the film can't be written.
type FilmMaker func(file *os.File, remove func(), most int64, width, height, rate int) (Film, error)
