package har

import (
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
	of map[string]string // by their names there
}

// TempHAR is a name in the run's folder for a HAR that is to go to path.
func TempHAR(b *browser.Browser, e *browser.Engine, path string) string {
	temp := filepath.Join(e.Driver.Temp, "har-"+rand.Text()+filepath.Ext(path))
	all := harPlaces.Of(b)
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.of == nil {
		all.of = map[string]string{}
	}
	all.of[temp] = path
	return temp
}

// placeOf is where a HAR goes to once it is written, "" if it stays.
func placeOf(b *browser.Browser, temp string) string {
	all := harPlaces.Of(b)
	all.mu.Lock()
	defer all.mu.Unlock()
	place := all.of[temp]
	delete(all.of, temp)
	return place
}

// move puts the finished HAR in its place.
func (h *recordedHAR) move() {
	if h.place == "" {
		return
	}
	if h.lost = files.CopyFile(h.place, h.path); errors.Is(h.lost, fs.ErrNotExist) {
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
