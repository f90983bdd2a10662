package virtual

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"
)

// Downloads say where files of downloads are.
type Downloads struct {
	// Folder makes one for a client, which goes with it, for the files of the contexts
	// that it made.
	Folder func() (string, error)
	// Path is where the browser puts the file of a download in one of the session's
	// contexts, when it has come whole; "" if that is not known.
	Path func(guid string) string
	// Give copies a file to where a client looks for it, if the session may write
	// there.
	Give func(path, from string) error
}

// heard is a context of whose downloads a client wants to hear in a session.
type heard struct {
	session *session
	context string
}

// mostPath is how long a folder's path may be.
const mostPath = 4096

// downloads: the browser puts files where the session's are, or into a folder of
// ours, whatever a client says. What it says is where it looks for them, by their
// ids: it is given copies there.
func downloads(c *command) error {
	behaviour, err := param[string](c, "behavior")
	if err != nil {
		return err
	}
	folder, err := param[string](c, "downloadPath")
	if err != nil {
		return err
	}
	if len(folder) > mostPath {
		return errors.New("downloadPath: it is longer than a path can be")
	}
	events, err := param[bool](c, "eventsEnabled")
	if err != nil {
		return err
	}
	id, err := param[string](c, "browserContextId")
	if err != nil {
		return err
	}
	if id == "" && !c.session.root {
		id = c.session.context
		c.set("browserContextId", id)
	} else if id == "" {
		id = c.o.Context
	}
	if err := ownContext(c); err != nil {
		return err
	}
	if c.o.Downloads == nil {
		return c.answers(none{})
	}
	c.mu.Lock()
	delete(c.hears, heard{c.session, id})
	if c.namesTooMany(folder) {
		c.mu.Unlock()
		return fmt.Errorf("over a limit: the client has named %d folders for downloads", mostFolders)
	}
	if events && len(c.hears) < mostSessions {
		c.hears[heard{c.session, id}] = folder
	}
	made := c.made[id]
	c.mu.Unlock()
	if !made || behaviour == "default" {
		return c.answers(none{})
	}
	if behaviour != "deny" {
		own, err := c.folder()
		if err != nil {
			return err
		}
		c.set("behavior", "allowAndName")
		c.set("downloadPath", own)
	}
	c.set("eventsEnabled", false) // those of all would come
	return nil
}

// mostFolders is how many folders a client may name: each has a copy of each file.
const mostFolders = 8

// namesTooMany says whether a folder is one too many. The lock is held.
func (b *browser) namesTooMany(folder string) bool {
	named := map[string]bool{filepath.Clean(folder): true}
	for _, dir := range b.hears {
		named[filepath.Clean(dir)] = true
	}
	delete(named, ".") // none
	return len(named) > mostFolders
}

// folder is the client's own.
func (b *browser) folder() (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var err error
	if b.made == nil {
		err = errors.New("the client has left")
	} else if b.files == "" {
		b.files, err = b.o.Downloads.Folder()
	}
	return b.files, err
}

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
	switch of, known := b.loads[e.GUID]; {
	case method == "Page.downloadWillBegin" && !known && len(b.loads) < mostCalls:
		b.loads[e.GUID] = s
		b.tellOf(s.context, "Browser.downloadWillBegin", e)
	case of != s:
	case e.State == "inProgress":
		b.tellOf(s.context, "Browser.downloadProgress", e)
	case e.State != "":
		delete(b.loads, e.GUID)
		made := b.made[s.context]
		go b.loaded(s.context, made, e)
	}
}

// loaded tells of the end of a download.
func (b *browser) loaded(context string, made bool, e progress) {
	given, failed := map[heard]string{}, map[string]bool{} // by the path of the copy, whether there is none
	if e.State == "completed" {
		e.File = b.at(made, e.GUID)
		b.mu.Lock()
		for h, folder := range b.hears {
			if h.context == context && filepath.IsAbs(folder) {
				given[h] = filepath.Join(folder, filepath.Base(e.GUID))
			}
		}
		b.mu.Unlock()
		maps.DeleteFunc(given, func(_ heard, path string) bool {
			if _, tried := failed[path]; !tried {
				failed[path] = b.o.Downloads.Give(path, e.File) != nil
			}
			return failed[path]
		})
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for h := range b.hears {
		if h.context == context {
			own := e
			own.File = cmp.Or(given[h], e.File)
			b.tellIn(h.session, "Browser.downloadProgress", own)
		}
	}
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
	maps.DeleteFunc(b.hears, func(h heard, _ string) bool { return h.session == s })
	for guid, of := range b.loads {
		if of == s {
			b.loads[guid] = nil // it counts until it ends
			go b.follow(s.context, b.made[s.context], guid)
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
func (b *browser) follow(context string, made bool, guid string) {
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
		b.loaded(context, made, e)
		return
	}
}

// tellOf tells what a download of a context does. The lock is held.
func (b *browser) tellOf(context, method string, e progress) {
	for h := range b.hears {
		if h.context == context {
			b.tellIn(h.session, method, e)
		}
	}
}

func (b *browser) tellIn(s *session, method string, e progress) {
	text, _ := json.Marshal(e)
	b.say(message{Method: method, Params: text, Session: s.id})
}

// hasLeft says whether the client has.
func (b *browser) hasLeft() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.made == nil
}
