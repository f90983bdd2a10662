package handlers

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// Playwright writes a HAR when its context closes, and does not close the
// context where that fails. So it writes into the run's own folder, and from
// there the whole file goes to its place.

// tempHAR is a name in the run's folder for a HAR that is to go to path.
func (e *engine) tempHAR(path string) string {
	temp := filepath.Join(e.driver.Temp, "har-"+rand.Text()+filepath.Ext(path))
	e.recordingMu.Lock()
	defer e.recordingMu.Unlock()
	if e.hars == nil {
		e.hars = map[string]string{}
	}
	e.hars[temp] = path
	return temp
}

// placeOf is where a HAR goes to once it is written, "" if it stays.
func (e *engine) placeOf(temp string) string {
	e.recordingMu.Lock()
	defer e.recordingMu.Unlock()
	place := e.hars[temp]
	delete(e.hars, temp)
	return place
}

// move puts the finished HAR in its place.
func (h *recordedHAR) move() {
	if h.place == "" {
		return
	}
	if h.lost = copyFile(h.place, h.path); errors.Is(h.lost, fs.ErrNotExist) {
		h.lost = h.unwritten()
	}
	_ = os.Remove(h.path)
}

// unwritten is the error of a HAR that Playwright did not write.
func (h *recordedHAR) unwritten() error {
	if h.place == "" {
		return nil
	}
	return provider.Errorf(provider.KindFailed, "there is no HAR for %s: its context was gone before it was written", h.place)
}

// endContext is closeContext where nobody is left to be answered.
func (s *Session) endContext(c playwright.BrowserContext) {
	if lost, _ := s.closeContext(c); lost != nil {
		s.browser.log.Error("a recording is lost", "error", lost.Error())
	}
}
