package har

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/provider"
)

// Playwright writes a HAR when its context closes. If the write fails, it does not
// close the context. So it writes into the run's own folder, and pwpipe moves the whole
// file to its place.

// harPlaces are the final places of the HARs in the run's folder.
var harPlaces browser.State[*browser.Browser, placesOfHARs]

type placesOfHARs struct {
	mu sync.Mutex
	of map[string]place // by their names there
}

// place is the final place of a HAR, and the callback for when it is there.
type place struct {
	path    string // "" if it stays
	written func()
}

// TempHAR is a name in the run's folder for a HAR whose final place is path, for the
// call of ctx.
func TempHAR(ctx context.Context, b *browser.Browser, e *browser.Engine, path string) string {
	temp := filepath.Join(e.Driver.Temp, "har-"+rand.Text()+filepath.Ext(path))
	all := harPlaces.Of(b)
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.of == nil {
		all.of = map[string]place{}
	}
	all.of[temp] = place{path, provider.Writes(ctx, path)}
	return temp
}

// placeOf is the final place of a HAR.
func placeOf(b *browser.Browser, temp string) place {
	all := harPlaces.Of(b)
	all.mu.Lock()
	defer all.mu.Unlock()
	to := all.of[temp]
	delete(all.of, temp)
	return to
}

// move moves the finished HAR to its place.
func (h *recordedHAR) move() {
	if h.place.path == "" {
		return
	}
	switch h.lost = files.CopyFile(h.place.path, h.path); {
	case h.lost == nil:
		h.place.written()
	case errors.Is(h.lost, fs.ErrNotExist):
		h.lost = h.unwritten()
	}
	_ = os.Remove(h.path)
}

// unwritten is the error of a HAR that Playwright did not write.
func (h *recordedHAR) unwritten() error {
	if h.place.path == "" {
		return nil
	}
	return provider.Errorf(provider.KindFailed, "there is no HAR for %s: its context was gone before it was written", h.place.path)
}
