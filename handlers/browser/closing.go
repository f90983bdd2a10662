package browser

import (
	"slices"
)

// ClosesFirst has something closed before the browser: what records is written
// only then.
func (e *Engine) ClosesFirst(end func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recording = append(e.recording, end)
}

// ReleasesFirst has something let go before anything is closed: what records can't be
// closed while a page is paused.
func (e *Engine) ReleasesFirst(end func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recording = slices.Insert(e.recording, 0, end)
}

// closeRecording closes what records.
func (e *Engine) closeRecording() {
	e.mu.Lock()
	list := e.recording
	e.recording = nil
	e.mu.Unlock()
	for _, end := range list {
		end()
	}
}
