package browser

import (
	"slices"
)

// ClosesFirst has something closed before the browser: what records is written
// only then.
func (e *Engine) ClosesFirst(end func()) {
	e.recordingMu.Lock()
	defer e.recordingMu.Unlock()
	e.recording = append(e.recording, end)
}

// LetsGo has something let go before anything is closed: what records can't be
// closed while a page is paused.
func (e *Engine) LetsGo(end func()) {
	e.recordingMu.Lock()
	defer e.recordingMu.Unlock()
	e.recording = slices.Insert(e.recording, 0, end)
}

// closeRecording closes what records.
func (e *Engine) closeRecording() {
	e.recordingMu.Lock()
	list := e.recording
	e.recording = nil
	e.recordingMu.Unlock()
	for _, end := range list {
		end()
	}
}
