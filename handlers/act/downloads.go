package act

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
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

// begun are the downloads of each page that no reply has named yet, and the downloads of pages that
// it opened, until a call works on these. They are watched from the page's first event on.
var begun = browser.State[*browser.Page, downloads]{New: func(p *browser.Page) *downloads {
	d := &downloads{}
	p.PW.OnDownload(d.add)
	return d
}}

type downloads struct {
	mu     sync.Mutex
	list   []playwright.Download
	next   chan<- playwright.Download // gets the next one, nil if nobody waits for it
	count  int                        // of all that began
	opener *downloads                 // gets them, nil for none
}

// watchDownloads is for a page that has come.
func watchDownloads(p *browser.Page) {
	d := begun.Of(p)
	pw, err := p.PW.Opener()
	if err != nil || pw == nil {
		return
	}
	if opener := p.Session.Find(pw); opener != nil {
		d.mu.Lock()
		d.opener = begun.Of(opener)
		d.mu.Unlock()
	}
}

func (d *downloads) add(one playwright.Download) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	switch {
	case d.opener != nil:
		d.opener.add(one)
	case d.next != nil:
		d.next <- one
		d.next = nil
	default:
		if d.list = append(d.list, one); len(d.list) > maxBegun {
			d.list = d.list[1:]
		}
	}
}

// own has a page keep its downloads: a call works on it.
func (d *downloads) own() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opener = nil
}

// expect gives the caller the next download, until done.
func (d *downloads) expect() (next <-chan playwright.Download, done func()) {
	one := make(chan playwright.Download, 1)
	d.own()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.next = one
	return one, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.next == one {
			d.next = nil
		}
	}
}

// rest are those that nobody took, once.
func (d *downloads) rest() []playwright.Download {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.list
	d.list = nil
	return list
}

// WatchDownloads keeps the downloads of a page from now on, for [SaveDownloads].
func WatchDownloads(p *browser.Page) { begun.Of(p).own() }

// DownloadsBegun is how many downloads of a page have begun, those of pages that it opened among them.
func DownloadsBegun(p *browser.Page) int {
	d := begun.Of(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count
}

// SaveDownloads saves the downloads of a page that began without the tool download, as it does
// where no path is given, and says where each file is, in a line.
func SaveDownloads(ctx context.Context, p *browser.Page) (lines []string) {
	ctx, cancel := context.WithTimeout(ctx, maxDownload)
	defer cancel()
	list := begun.Of(p).rest()
	for _, one := range list {
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
