package scripts

import (
	"errors"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/playwright-community/playwright-go"

	"pwpipe/features/endpoint"
	"pwpipe/handlers/browser"
)

// downloads are the downloads of a session's pages. The driver stores them; scripts get
// events, and read the files through us.
var downloads browser.State[*browser.Session, taken]

// maxDownloads bounds the downloads that a script can still read.
const maxDownloads = 100

type taken struct {
	mu   sync.Mutex
	list []download // the newest last
}

// download has the name that scripts know.
type download struct {
	playwright.Download
	name string
}

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
	t.list = append(t.list[max(0, len(t.list)-maxDownloads+1):], download{d, name})
	return name
}

func (t *taken) path(name string) (string, error) {
	t.mu.Lock()
	list := slices.Clone(t.list)
	t.mu.Unlock()
	for _, d := range list {
		if d.name == name {
			return d.Path()
		}
	}
	return "", errors.New("ENOENT: no such download")
}
