package cdpview

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// downloads tracks the downloads of a client's pages, and reports them to the sessions
// that asked. A page reports its downloads to its own session; clients expect the events
// of the browser.
type downloads struct {
	files *Downloads                // nil if the client hears of downloads in another way
	made  func(context string) bool // reports whether the client made the context
	say   func(message)

	mu      sync.Mutex
	wishes  map[subscription]wish
	loading map[string]loading // by the ids of downloads
	folder  string             // the client's own folder, "" until it is needed
	closed  atomic.Bool        // the client has left
}

// subscription is a context, and the session in which the client wants its downloads.
type subscription struct {
	session *session
	context string
}

type wish struct {
	place
	events bool
}

// loading is a download under way: the page that reports it (nil once the page has gone),
// and the name of its file.
type loading struct {
	on   *session
	name string
}

type progress struct {
	Frame    string  `json:"frameId,omitempty"`
	GUID     string  `json:"guid"`
	URL      string  `json:"url,omitempty"`
	Name     string  `json:"suggestedFilename,omitempty"`
	Total    float64 `json:"totalBytes"`
	Received float64 `json:"receivedBytes"`
	State    string  `json:"state,omitempty"`
	File     string  `json:"filePath,omitempty"`
}

// event turns a page's event about a download into the browser's. It runs where the
// connection is read.
func (d *downloads) event(s *session, method string, params json.RawMessage) {
	var e progress
	if d.files == nil || json.Unmarshal(params, &e) != nil || e.GUID == "" {
		return
	}
	made := d.made(s.context)
	d.mu.Lock()
	defer d.mu.Unlock()
	switch load, known := d.loading[e.GUID]; {
	case method == "Page.downloadWillBegin" && !known && len(d.loading) < maxCalls:
		d.loading[e.GUID] = loading{s, e.Name}
		d.report(s.context, "Browser.downloadWillBegin", e, nil)
	case load.on != s:
	case e.State == "inProgress":
		d.report(s.context, "Browser.downloadProgress", e, nil)
	case e.State != "":
		delete(d.loading, e.GUID)
		go d.finish(s.context, load.name, made, e)
	}
}

// finish copies the file of a download that has ended to the folders that the client
// named, and reports the end.
func (d *downloads) finish(context, name string, made bool, e progress) {
	copies := map[place]string{}
	if e.State == "completed" {
		e.File = d.path(made, e.GUID)
		for _, p := range d.places(context) {
			if at, err := d.files.Give(p.path(e.GUID, name), e.File, p.named); err == nil {
				copies[p] = at
			}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.report(context, "Browser.downloadProgress", e, copies)
}

// report sends an event to all who subscribed to a context. copies are where the file is
// for each. The lock is held.
func (d *downloads) report(context, method string, e progress, copies map[place]string) {
	for sub, w := range d.wishes {
		if sub.context == context && w.events {
			own := e
			own.File = cmp.Or(copies[w.place], e.File)
			d.say(message{Method: method, Params: encoded(own), Session: sub.session.id})
		}
	}
}

// places are the folders that get a copy of each file of a context.
func (d *downloads) places(context string) []place {
	d.mu.Lock()
	defer d.mu.Unlock()
	some := map[place]bool{}
	for sub, w := range d.wishes {
		if sub.context == context && filepath.IsAbs(w.folder) {
			some[w.place] = true
		}
	}
	return slices.Collect(maps.Keys(some))
}

// path is where the browser puts the file of a download.
func (d *downloads) path(made bool, guid string) string {
	if !made {
		return d.files.Path(guid)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return filepath.Join(d.folder, filepath.Base(guid))
}

// detached ends the subscriptions of a session, and follows the downloads that it
// reported: the browser says nothing more of them.
func (d *downloads) detached(s *session) {
	made := d.made(s.context)
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.wishes, func(sub subscription, _ wish) bool { return sub.session == s })
	for guid, load := range d.loading {
		if load.on == s {
			d.loading[guid] = loading{nil, load.name} // it counts until it ends
			go d.follow(s.context, load.name, made, guid)
		}
	}
}

// Unfinished ends the name of a file that is not complete.
const Unfinished = ".crdownload"

const (
	followTime = 100 * time.Millisecond // between two looks at a file
	stallTime  = 30 * time.Second       // a file that has not grown for so long is given up
	appearTime = 10 * time.Second       // how long the browser may take to create a file
)

// follow waits for a file to be complete, as long as it grows and the client is there.
func (d *downloads) follow(context, name string, made bool, guid string) {
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.loading, guid)
	}()
	size, grew, began := int64(-1), time.Now(), false
	for e := (progress{GUID: guid}); !d.closed.Load(); time.Sleep(followTime) {
		path := d.path(made, guid)
		part, some := os.Stat(path + Unfinished)
		info, all := os.Stat(path)
		if some == nil && part.Size() != size {
			size, grew, began = part.Size(), time.Now(), true
		}
		switch {
		case all == nil && some != nil: // Chromium creates an empty file, and moves the other over it
			e.State, e.Total, e.Received = "completed", float64(info.Size()), float64(info.Size())
		case some != nil && (began || time.Since(grew) > appearTime), time.Since(grew) > stallTime:
			e.State = "canceled"
		default:
			continue
		}
		d.finish(context, name, made, e)
		return
	}
}

// subscribe replaces what the client wants of a context's downloads in a session.
func (d *downloads) subscribe(sub subscription, w wish) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.wishes, sub)
	named := map[string]bool{filepath.Clean(w.folder): true}
	for _, other := range d.wishes {
		named[filepath.Clean(other.folder)] = true
	}
	if delete(named, "."); len(named) > maxFolders { // "." stands for no folder
		return fmt.Errorf("over a limit: the client has named %d folders for downloads", maxFolders)
	}
	if (w.events || w.folder != "") && len(d.wishes) < maxSessions {
		d.wishes[sub] = w
	}
	return nil
}

// ownFolder is the client's folder. It is created when it is first needed.
func (d *downloads) ownFolder() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	if d.closed.Load() {
		err = errors.New("the client has left")
	} else if d.folder == "" {
		d.folder, err = d.files.Folder()
	}
	return d.folder, err
}

// close ends what follows files. It returns the client's folder, "" for none, from which
// the browser may still have to be turned away.
func (d *downloads) close() (folder string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed.Store(true)
	return d.folder
}
