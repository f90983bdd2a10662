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
	"pwpipe/internal/policy/urlglob"
	"pwpipe/provider"
)

// recordedHAR is a HAR that is being recorded for a context, in which secrets
// are to be masked once Playwright has written it: when the context closes.
type recordedHAR struct {
	session *browser.Session
	path    string
	place   place         // where it goes then
	only    *urlglob.Glob // requests that are kept, nil for all
	lost    error         // why it is not there, once it is finished
	written chan struct{} // closed when the context is
	once    sync.Once
}

// recordings are those of a session.
var recordings browser.State[*browser.Session, harRecordings]

type harRecordings struct {
	mu sync.Mutex
	of map[playwright.BrowserContext][]*recordedHAR
}

// Hooks has HARs finished with their contexts.
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

// Records notes that a context's traffic is recorded into a file, which goes to
// its place (none if it is there) when it is written, with the requests that match only
// (nil for all). Whoever closes the context, a script or the browser among them, the
// file is masked.
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

// finish masks the file and puts it in its place, once, when it is written. It
// says why it is not there.
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

// finishHARs masks what was recorded of a context that is closed. Its error is
// what of that could not be written.
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

// hide takes out of the file what is not wanted, and masks its secrets. One where that
// fails is removed: it must not be left as it is.
func (h *recordedHAR) hide() {
	var err error
	if strings.EqualFold(filepath.Ext(h.path), ".zip") {
		err = h.hideZip()
	} else {
		var raw []byte
		if raw, err = os.ReadFile(h.path); err == nil {
			err = h.write(func(w io.Writer) error { _, err := w.Write(h.masked(raw)); return err })
		}
	}
	if err != nil && !os.IsNotExist(err) {
		_ = os.Remove(h.path)
		h.session.Browser.Log.Error("a HAR was removed, for it could not be rewritten without its secrets", "path", h.path, "error", err)
	}
}

// masked is a HAR, or a body that it names, without secrets. Bodies that are no
// text are left.
func (h *recordedHAR) masked(raw []byte) []byte {
	switch {
	case json.Valid(raw):
		return provider.MapStrings(h.picked(raw), h.session.Browser.Hide)
	case utf8.Valid(raw):
		return []byte(h.session.Browser.Hide(string(raw)))
	}
	return raw
}

// picked is a HAR with the requests that match, and anything else as it is. The driver
// records all: it would match with a regular expression that backtracks.
func (h *recordedHAR) picked(raw []byte) []byte {
	var har struct {
		Log struct {
			Version json.RawMessage   `json:"version,omitempty"`
			Creator json.RawMessage   `json:"creator,omitempty"`
			Browser json.RawMessage   `json:"browser,omitempty"`
			Pages   json.RawMessage   `json:"pages,omitempty"`
			Entries []json.RawMessage `json:"entries"`
		} `json:"log"`
	}
	if h.only == nil || json.Unmarshal(raw, &har) != nil || har.Log.Version == nil {
		return raw
	}
	har.Log.Entries = slices.DeleteFunc(har.Log.Entries, func(entry json.RawMessage) bool {
		var e struct {
			Request struct {
				URL string `json:"url"`
			} `json:"request"`
		}
		return json.Unmarshal(entry, &e) != nil || !h.only.Match(e.Request.URL)
	})
	if kept, err := json.MarshalIndent(har, "", "  "); err == nil {
		return kept
	}
	return raw
}

func (h *recordedHAR) hideZip() error {
	in, err := zip.OpenReader(h.path)
	if err != nil {
		return err
	}
	defer in.Close()
	return h.write(func(w io.Writer) error {
		out := zip.NewWriter(w)
		for _, f := range in.File {
			if err := h.copyEntry(out, f); err != nil {
				return err
			}
		}
		return out.Close()
	})
}

func (h *recordedHAR) copyEntry(out *zip.Writer, f *zip.File) error {
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
		_, err = to.Write(h.masked(raw))
	}
	return err
}

// write puts a new file in the place of the HAR, whole or not at all.
func (h *recordedHAR) write(fill func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(h.path), ".pwpipe-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	err = fill(temp)
	if cerr := temp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(temp.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(temp.Name(), h.path)
	}
	return err
}
