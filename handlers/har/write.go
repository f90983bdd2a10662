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

// Playwright writes a HAR when its context closes, and does not close the
// context where that fails. So it writes into the run's own folder, and from
// there the whole file goes to its place.

// harPlaces are where the HARs in the run's folder go to.
var harPlaces browser.State[*browser.Browser, placesOfHARs]

type placesOfHARs struct {
	mu sync.Mutex
	of map[string]place // by their names there
}

// place is where a HAR goes to once it is written, and who is to know then.
type place struct {
	path    string // "" if it stays
	written func()
}

// TempHAR is a name in the run's folder for a HAR that is to go to path, by the call
// of ctx.
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

// placeOf is where a HAR goes to once it is written.
func placeOf(b *browser.Browser, temp string) place {
	all := harPlaces.Of(b)
	all.mu.Lock()
	defer all.mu.Unlock()
	to := all.of[temp]
	delete(all.of, temp)
	return to
}

// move puts the finished HAR in its place.
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
