package act

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/machine/temp"
	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
)

// Bounds of what is kept and awaited of downloads that no tool was called for.
const (
	maxBegun    = 20
	maxDownload = time.Second
)

// begun are the downloads of each page that no reply has named yet.
var begun = browser.State[*browser.Page, downloads]{New: func(p *browser.Page) *downloads {
	d := &downloads{}
	p.PW.OnDownload(d.add)
	return d
}}

type downloads struct {
	mu    sync.Mutex
	list  []playwright.Download
	taken []playwright.Download // by the tool download
	count int                   // of all that began
}

func (d *downloads) add(one playwright.Download) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	if d.list = append(d.list, one); len(d.list) > maxBegun {
		d.list = d.list[1:]
	}
}

// take notes that a tool saves a download: it may come before add.
func (d *downloads) take(one playwright.Download) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.taken = append(d.taken, one); len(d.taken) > maxBegun {
		d.taken = d.taken[1:]
	}
}

// began is how many have begun.
func (d *downloads) began() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count
}

// rest are those that nobody took, once.
func (d *downloads) rest() []playwright.Download {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := slices.DeleteFunc(d.list, func(one playwright.Download) bool { return slices.Contains(d.taken, one) })
	d.list = nil
	return list
}

// WatchDownloads keeps the downloads of a page from now on, for [SaveDownloads].
func WatchDownloads(p *browser.Page) { begun.Of(p) }

// SaveDownloads saves the downloads of a page that began without the tool download, as it does
// where no path is given, and says where each file is, in a line.
func SaveDownloads(ctx context.Context, p *browser.Page) (lines []string) {
	ctx, cancel := context.WithTimeout(ctx, maxDownload)
	defer cancel()
	for _, one := range begun.Of(p).rest() {
		dir, err := files.NewFolder(cmp.Or(files.ChosenOutput(), os.TempDir()), temp.DownloadPrefix)
		if err != nil {
			lines = append(lines, "a download began, and has no place: "+pwerrors.FirstLine(err.Error()))
			continue
		}
		name := writefile.Name(fileNamed(p, one.SuggestedFilename()))
		path, saved := filepath.Join(dir, name), make(chan error, 1)
		go func() {
			_, err := files.SavedNew(dir, name, one.SaveAs)
			if err != nil {
				_ = os.RemoveAll(dir)
			}
			saved <- err
		}()
		select {
		case err = <-saved:
		case <-ctx.Done():
			lines = append(lines, "a download began, its file will be "+path)
			continue
		}
		if err != nil {
			lines = append(lines, "a download failed: "+p.Short(pwerrors.FirstLine(err.Error()), 200))
			continue
		}
		provider.Wrote(ctx, path)
		lines = append(lines, "downloaded "+path+sizeOf(path))
	}
	return lines
}

func sizeOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (%d bytes)", info.Size())
}
