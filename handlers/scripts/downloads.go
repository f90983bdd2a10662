package scripts

import (
	"errors"
	"sync"

	"github.com/google/uuid"
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/endpoint"
)

// downloads are the downloads of a session's pages. The driver stores them; scripts get
// events, and read the files through us.
var downloads browser.State[*browser.Session, taken]

// maxDownloads bounds the downloads that a script can still read.
const maxDownloads = 100

type taken struct {
	mu    sync.Mutex
	order []string
	named map[string]playwright.Download // by the names that scripts know
}

// watchDownloads reports the page's downloads to the session's script.
func watchDownloads(p *browser.Page) {
	p.PW.OnDownload(func(d playwright.Download) {
		r := processes.Of(p.Session).current()
		if r == nil {
			return
		}
		name := downloads.Of(p.Session).add(d)
		go func() { // it waits for the download
			r.Download(endpoint.TargetOf(p), name, d.URL(), d.SuggestedFilename())
			r.Downloaded(name, d.Failure())
		}()
	})
}

func (t *taken) add(d playwright.Download) string {
	name := uuid.NewString()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.named == nil {
		t.named = map[string]playwright.Download{}
	}
	if len(t.order) >= maxDownloads {
		delete(t.named, t.order[0])
		t.order = t.order[1:]
	}
	t.named[name] = d
	t.order = append(t.order, name)
	return name
}

func (t *taken) path(name string) (string, error) {
	t.mu.Lock()
	d := t.named[name]
	t.mu.Unlock()
	if d == nil {
		return "", errors.New("ENOENT: no such download")
	}
	return d.Path()
}
