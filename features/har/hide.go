package har

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/policy/urlglob"
	"pwpipe/provider"
)

// recordedHAR is a HAR that is being recorded for a context. Playwright writes it when
// the context closes; then its secrets are masked.
type recordedHAR struct {
	session *browser.Session
	path    string
	place   place         // its final place
	only    *urlglob.Glob // requests to keep, nil for all
	lost    error         // its error, once it is finished
	written chan struct{} // closed when the context is
	once    sync.Once
}

// recordings are those of a session.
var recordings browser.State[*browser.Session, harRecordings]

type harRecordings struct {
	mu sync.Mutex
	of map[playwright.BrowserContext][]*recordedHAR
}

// Hooks finishes HARs when their contexts close.
var Hooks = browser.Hooks{
	Context: func(s *browser.Session, o *browser.Opened) error {
		if o.HAR != "" {
			Records(s, o.BrowserContext, o.HAR, placeOf(s.Browser, o.HAR), nil)
			o.Engine.Records.Add(func(*browser.Engine) { s.EndContext(o.BrowserContext) })
		}
		return nil
	},
	Closed: finishHARs,
}

// Records registers a file into which a context's traffic is recorded. When it is
// written it goes to its place ("" if it is there already), with only the requests that
// match (nil for all). Its secrets are masked, whoever closes the context, a script or
// the browser included.
func Records(s *browser.Session, c playwright.BrowserContext, path string, to place, only *urlglob.Glob) {
	if s.Browser.Config.Mask == nil && to.path == "" {
		return
	}
	h := &recordedHAR{session: s, path: path, place: to, only: only, written: make(chan struct{})}
	c.OnClose(func(playwright.BrowserContext) {
		close(h.written)
		go func() { _ = h.finish() }()
	})
	all := recordings.Of(s)
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.of == nil {
		all.of = map[playwright.BrowserContext][]*recordedHAR{}
	}
	all.of[c] = append(all.of[c], h)
}

// finish masks the file and moves it to its place, once, when it is written. The error
// says why it is missing.
func (h *recordedHAR) finish() error {
	select {
	case <-h.written:
		h.once.Do(func() {
			if h.session.Browser.Config.Mask != nil || h.only != nil {
				h.hide()
			}
			h.move()
		})
		return h.lost
	case <-time.After(browser.CloseTime): // the browser is gone, and wrote none
		return h.unwritten()
	}
}

// finishHARs finishes the recordings of a closed context. Its error names those that
// could not be written.
func finishHARs(s *browser.Session, c playwright.BrowserContext) (lost error) {
	all := recordings.Of(s)
	all.mu.Lock()
	list := all.of[c]
	delete(all.of, c)
	all.mu.Unlock()
	for _, h := range list {
		lost = errors.Join(lost, h.finish())
	}
	return lost
}

// hide cleans the file. If that fails, it removes the file, which must not stay as it is.
func (h *recordedHAR) hide() {
	b := h.session.Browser
	if err := Clean(h.path, b.Hide, h.only); err != nil && !os.IsNotExist(err) {
		b.Log.Error("a HAR was removed, since its secrets could not be masked", "path", h.path, "error", err)
	}
}

// Clean removes the requests that do not match (nil: none) from a HAR, and masks its secrets. If
// that fails, it removes the file.
func Clean(path string, mask func(string) string, only *urlglob.Glob) (err error) {
	c := cleaning{path, mask, only}
	if strings.EqualFold(filepath.Ext(path), ".zip") {
		err = c.zip()
	} else {
		var raw []byte
		if raw, err = os.ReadFile(path); err == nil {
			err = c.write(func(w io.Writer) error { _, err := w.Write(c.masked(raw)); return err })
		}
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

// cleaning is a HAR, what masks its texts, and which requests stay.
type cleaning struct {
	path string
	mask func(string) string
	only *urlglob.Glob
}

// masked is a HAR, or a body that it names, without secrets. Bodies that are not text
// are unchanged.
func (c cleaning) masked(raw []byte) []byte {
	switch {
	case json.Valid(raw):
		return provider.MapStrings(c.picked(raw), c.mask)
	case utf8.Valid(raw):
		return []byte(c.mask(string(raw)))
	}
	return raw
}

// picked is a HAR with only the requests that match; any other file is unchanged. The
// driver records all, because its own matching would use a backtracking regular
// expression.
func (c cleaning) picked(raw []byte) []byte {
	var har struct {
		Log struct {
			Version json.RawMessage   `json:"version,omitempty"`
			Creator json.RawMessage   `json:"creator,omitempty"`
			Browser json.RawMessage   `json:"browser,omitempty"`
			Pages   json.RawMessage   `json:"pages,omitempty"`
			Entries []json.RawMessage `json:"entries"`
		} `json:"log"`
	}
	if c.only == nil || json.Unmarshal(raw, &har) != nil || har.Log.Version == nil {
		return raw
	}
	har.Log.Entries = slices.DeleteFunc(har.Log.Entries, func(entry json.RawMessage) bool {
		var e struct {
			Request struct {
				URL string `json:"url"`
			} `json:"request"`
		}
		return json.Unmarshal(entry, &e) != nil || !c.only.Match(e.Request.URL)
	})
	if kept, err := json.MarshalIndent(har, "", "  "); err == nil {
		return kept
	}
	return raw
}

func (c cleaning) zip() error {
	in, err := zip.OpenReader(c.path)
	if err != nil {
		return err
	}
	defer in.Close()
	return c.write(func(w io.Writer) error {
		out := zip.NewWriter(w)
		for _, f := range in.File {
			if err := c.copyEntry(out, f); err != nil {
				return err
			}
		}
		return out.Close()
	})
}

func (c cleaning) copyEntry(out *zip.Writer, f *zip.File) error {
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	raw, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	to, err := out.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: f.Modified})
	if err == nil {
		_, err = to.Write(c.masked(raw))
	}
	return err
}

// write replaces the HAR by a new file, whole or not at all.
func (c cleaning) write(fill func(io.Writer) error) error {
	return writefile.Whole(c.path, writefile.Private, func(f *os.File) error { return fill(f) })
}
