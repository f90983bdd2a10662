package cdpview

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// progress is what the browser says of a download.
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

// downloading tells the client of a download as the browser does that tells of all:
// it is heard of on a page of the client's. It runs where the connection is read.
func (b *browser) downloading(s *session, method string, params json.RawMessage) {
	var e progress
	if b.o.Downloads == nil || json.Unmarshal(params, &e) != nil || e.GUID == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch load, known := b.loads[e.GUID]; {
	case method == "Page.downloadWillBegin" && !known && len(b.loads) < mostCalls:
		b.loads[e.GUID] = loading{s, e.Name}
		b.tellOf(s.context, "Browser.downloadWillBegin", e)
	case load.on != s:
	case e.State == "inProgress":
		b.tellOf(s.context, "Browser.downloadProgress", e)
	case e.State != "":
		delete(b.loads, e.GUID)
		made := b.made[s.context]
		go b.loaded(s.context, load.name, made, e)
	}
}

// loaded tells of the end of a download.
func (b *browser) loaded(context, name string, made bool, e progress) {
	given := map[place]string{} // where the copies are
	if e.State == "completed" {
		e.File = b.at(made, e.GUID)
		for _, p := range b.places(context) {
			if at, err := b.o.Downloads.Give(p.path(e.GUID, name), e.File, p.named); err == nil {
				given[p] = at
			}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for h, w := range b.hears {
		if h.context == context && w.events {
			own := e
			own.File = cmp.Or(given[w.place], e.File)
			b.tellIn(h.session, "Browser.downloadProgress", own)
		}
	}
}

// places are those that get a copy of each file of a context.
func (b *browser) places(context string) []place {
	b.mu.Lock()
	defer b.mu.Unlock()
	some := map[place]bool{}
	for h, w := range b.hears {
		if h.context == context && filepath.IsAbs(w.folder) {
			some[w.place] = true
		}
	}
	return slices.Collect(maps.Keys(some))
}

// at is where the file of a download is, or will be.
func (b *browser) at(made bool, guid string) string {
	if !made {
		return b.o.Downloads.Path(guid)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return filepath.Join(b.files, filepath.Base(guid))
}

// abandoned follows downloads of a page that has gone, of which the browser tells
// no more. The lock is held.
func (b *browser) abandoned(s *session) {
	if s == nil {
		return
	}
	maps.DeleteFunc(b.hears, func(h heard, _ wish) bool { return h.session == s })
	for guid, load := range b.loads {
		if load.on == s {
			b.loads[guid] = loading{nil, load.name} // it counts until it ends
			go b.follow(s.context, load.name, b.made[s.context], guid)
		}
	}
}

// Unfinished ends the name of a file that has not come whole.
const Unfinished = ".crdownload"

const (
	followTime = 100 * time.Millisecond // how often a file is looked for
	stalled    = 30 * time.Second       // after which one that does not grow is given up
	appears    = 10 * time.Second       // how long the browser may take to make one
)

// follow waits for a file to be there, as long as what there is of it grows and the
// client is there.
func (b *browser) follow(context, name string, made bool, guid string) {
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.loads, guid)
	}()
	size, grew, began := int64(-1), time.Now(), false
	for e := (progress{GUID: guid}); !b.hasLeft(); time.Sleep(followTime) {
		path := b.at(made, guid)
		part, some := os.Stat(path + Unfinished)
		info, all := os.Stat(path)
		if some == nil && part.Size() != size {
			size, grew, began = part.Size(), time.Now(), true
		}
		switch {
		case all == nil && some != nil: // Chromium makes an empty one before it moves what has come there
			e.State, e.Total, e.Received = "completed", float64(info.Size()), float64(info.Size())
		case some != nil && (began || time.Since(grew) > appears), time.Since(grew) > stalled:
			e.State = "canceled"
		default:
			continue
		}
		b.loaded(context, name, made, e)
		return
	}
}

// tellOf tells what a download of a context does. The lock is held.
func (b *browser) tellOf(context, method string, e progress) {
	for h, w := range b.hears {
		if h.context == context && w.events {
			b.tellIn(h.session, method, e)
		}
	}
}

func (b *browser) tellIn(s *session, method string, e progress) {
	text := encoded(e)
	b.say(message{Method: method, Params: text, Session: s.id})
}

// hasLeft says whether the client has.
func (b *browser) hasLeft() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.made == nil
}
