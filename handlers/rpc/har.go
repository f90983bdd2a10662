package rpc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/provider"
)

// asked is the HAR that session.create asked for. Nobody asks for that of a
// session that its client did not close.
var asked = browser.State[*browser.Session, sessionHAR]{New: func(s *browser.Session) *sessionHAR {
	h := &sessionHAR{}
	s.OnClosed(h.drop)
	return h
}}

// sessionHAR is a HAR that is being recorded. Playwright writes it when the
// context is closed.
type sessionHAR struct {
	mu       sync.Mutex
	dir      string // "" for none
	recorded bool   // the first context has it
	kept     bool   // somebody takes it
}

// record makes the folder for it.
func (h *sessionHAR) record() (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dir, err = files.NewFolder(os.TempDir(), files.HarPrefix)
	return err
}

// first is the path for the first context, "" for the others, or if nothing is
// recorded.
func (h *sessionHAR) first() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == "" || h.recorded {
		return ""
	}
	h.recorded = true
	return h.path()
}

// path is the file. The lock is held.
func (h *sessionHAR) path() string { return filepath.Join(h.dir, "session.har") }

// keep keeps the file beyond the session's end, for take. nil: there is none.
func (h *sessionHAR) keep() *sessionHAR {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == "" {
		return nil
	}
	h.kept = true
	return h
}

// mostOfHAR is the longest HAR that is answered, in bytes. The driver bounds what one
// holds; its text is longer where a body's characters are escaped.
const mostOfHAR = 64 << 20

// take reads the finished HAR and removes the file.
func (h *sessionHAR) take() (json.RawMessage, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer os.RemoveAll(h.dir)
	info, err := os.Stat(h.path())
	if err == nil && info.Size() > mostOfHAR {
		return nil, provider.Errorf(provider.KindLimit, "it is %d MiB, and %d are the most that is answered; har-record writes a file", info.Size()>>20, mostOfHAR>>20)
	}
	raw, err := os.ReadFile(h.path())
	if err == nil && !json.Valid(raw) {
		err = provider.Errorf(provider.KindFailed, "the HAR was not finished")
	}
	return raw, err
}

// drop removes the file, unless it is kept.
func (h *sessionHAR) drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir != "" && !h.kept {
		_ = os.RemoveAll(h.dir)
	}
}
