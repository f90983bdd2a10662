package handlers

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// worthTracing tells the failures of the page's side from those that the
// caller or a limit brought about.
func worthTracing(k provider.Kind) bool {
	switch k {
	case provider.KindFailed, provider.KindTimeout, provider.KindInternal, provider.KindUnavailable:
		return true
	}
	return false
}

// keepTrace ends the trace of a context: tracing.stop. It is written where a
// call of the session failed.
func (s *Session) keepTrace(ctx context.Context, e *engine, c playwright.BrowserContext, name string) {
	dir := s.browser.cfg.TraceOnFailure
	if dir == "" || !s.failed.Load() {
		return
	}
	who := cmp.Or(s.id, "session")
	if s.id != "" && !s.ended() {
		who = s.id[:10] // all of it is all that it takes to use the session
	}
	path := filepath.Join(dir, time.Now().UTC().Format("20060102T150405Z")+"-"+who+"-"+name+".zip")
	_, err := await(ctx, e, nil, func() (struct{}, error) { return struct{}{}, c.Tracing().Stop(path) })
	if err != nil {
		_ = os.Remove(path) // half of it shows nothing
		s.browser.log.Error("a trace could not be kept", "path", path, "error", firstLine(cleanMessage(err)))
		return
	}
	s.browser.log.Info("trace kept", "path", path)
}

// harFile is a HAR that is being recorded. Playwright writes it when the
// context is closed.
type harFile struct{ dir, path string }

func newHAR() (*harFile, error) {
	dir, err := newFolder(os.TempDir(), harPrefix)
	if err != nil {
		return nil, err
	}
	return &harFile{dir, filepath.Join(dir, "session.har")}, nil
}

// take reads the finished HAR and removes the file.
func (h *harFile) take() (json.RawMessage, error) {
	defer h.remove()
	raw, err := os.ReadFile(h.path)
	if err == nil && !json.Valid(raw) {
		err = provider.Errorf(provider.KindFailed, "the HAR was not finished")
	}
	return raw, err
}

func (h *harFile) remove() { _ = os.RemoveAll(h.dir) }
