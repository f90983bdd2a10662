package handlers

import "slices"

// closesFirst has something closed before the browser: what records is written
// only then.
func (e *engine) closesFirst(end func()) {
	e.recordingMu.Lock()
	defer e.recordingMu.Unlock()
	e.recording = append(e.recording, end)
}

// letsGo has something let go before anything is closed: what records can't be
// closed while a page is paused.
func (e *engine) letsGo(end func()) {
	e.recordingMu.Lock()
	defer e.recordingMu.Unlock()
	e.recording = slices.Insert(e.recording, 0, end)
}

// closeRecording closes what records.
func (e *engine) closeRecording() {
	e.recordingMu.Lock()
	list := e.recording
	e.recording = nil
	e.recordingMu.Unlock()
	for _, end := range list {
		end()
	}
}
