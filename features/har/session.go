package har

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/provider"
)

// sessionHARs are the HARs that clients get when they close their sessions.
var sessionHARs = browser.State[*browser.Session, SessionHAR]{New: func(s *browser.Session) *SessionHAR {
	h := &SessionHAR{}
	s.OnClosed(h.finish)
	return h
}}

// SessionHAR is the HAR of a session's first context. Playwright writes it when that
// is closed.
type SessionHAR struct {
	mu       sync.Mutex
	dir      string // "" before it is asked for, and once it is finished
	recorded bool   // the first context has it
	wanted   bool   // the session's client closes it, and gets the text
	text     json.RawMessage
	err      error // why there is no text
}

// OfSession is a session's HAR.
func OfSession(s *browser.Session) *SessionHAR { return sessionHARs.Of(s) }

// Record makes the folder for it.
func (h *SessionHAR) Record() (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dir, err = files.NewFolder(os.TempDir(), files.HarPrefix)
	return err
}

// FirstPath is the path for the first context, "" for the others, or if nothing is
// recorded.
func (h *SessionHAR) FirstPath() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == "" || h.recorded {
		return ""
	}
	h.recorded = true
	return h.path()
}

// path is the file. The lock is held.
func (h *SessionHAR) path() string { return filepath.Join(h.dir, "session.har") }

// Want has the text kept beyond the session's end, for Text.
func (h *SessionHAR) Want() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wanted = true
}

// Text is the finished HAR, nil where none was recorded.
func (h *SessionHAR) Text() (json.RawMessage, error) {
	h.finish()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text, h.err
}

// finish reads the file, if that is wanted, and removes it.
func (h *SessionHAR) finish() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == "" {
		return
	}
	if h.wanted {
		h.text, h.err = readHAR(h.path())
	}
	_ = os.RemoveAll(h.dir)
	h.dir = ""
}

// maxAnswered is the longest HAR that is answered, in bytes. The driver bounds what one
// holds; its text is longer where a body's characters are escaped.
const maxAnswered = 64 << 20

func readHAR(path string) (json.RawMessage, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxAnswered {
		return nil, provider.Errorf(provider.KindLimit, "it has %d MiB, and a reply may hold %d; har-record writes a file",
			info.Size()>>20, maxAnswered>>20)
	}
	raw, err := os.ReadFile(path)
	if err == nil && !json.Valid(raw) {
		err = provider.Errorf(provider.KindFailed, "the HAR was not finished")
	}
	return raw, err
}
