package scripts

import (
	"errors"
	"sync"

	"github.com/google/uuid"
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/endpoint"
)

// downloads are those of a session's pages. The driver takes them; a script is
// told of each, and reads them through us.
var downloads browser.State[*browser.Session, taken]

// mostDownloads is how many a script can still read.
const mostDownloads = 100

type taken struct {
	mu    sync.Mutex
	order []string
	named map[string]playwright.Download // by the names that scripts know
}

// watchDownloads tells the session's script of the page's downloads.
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
	if len(t.order) >= mostDownloads {
		delete(t.named, t.order[0])
		t.order = t.order[1:]
	}
	t.named[name] = d
	t.order = append(t.order, name)
	return name
}

// path is where a download lies.
func (t *taken) path(name string) (string, error) {
	t.mu.Lock()
	d := t.named[name]
	t.mu.Unlock()
	if d == nil {
		return "", errors.New("ENOENT: no such download")
	}
	return d.Path()
}
