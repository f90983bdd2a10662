package cdpview

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
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
	// there, and answers where it is: beside is for a name that may be taken, of which
	// a free one is made.
	Give func(path, from string, beside bool) (at string, err error)
}

// heard is a context of whose downloads a client wants to know in a session.
type heard struct {
	session *session
	context string
}

// wish is what it wants of them.
type wish struct {
	place
	events bool // to be told
}

// place is where it looks for the files, and whether by their own names; else it is by
// their ids.
type place struct {
	folder string
	named  bool
}

// loading is a download that is under way: the page that tells of it, nil once that has
// gone, and what its file is called.
type loading struct {
	on   *session
	name string
}

// path is where the file of a download is to be. What the file is called is chosen by
// its server: no part of it chooses the folder.
func (p place) path(guid, name string) string {
	if !p.named {
		return filepath.Join(p.folder, filepath.Base(guid))
	}
	name = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\`, r) || r == filepath.Separator {
			return '_'
		}
		return r
	}, name)
	if strings.HasPrefix(name, ".") { // hidden, or a folder; Chromium makes such names up anew, too
		name = "_" + name[1:]
	}
	if name == "" {
		name = "download"
	}
	return filepath.Join(p.folder, name)
}

const (
	mostPath    = 4096 // how long a folder's path may be
	mostFolders = 8    // how many folders a client may name: each has a copy of each file
)

// downloads: the browser puts files where the session's are, or into a folder of
// ours, whatever a client says. What it says is where it looks for them, by their ids
// or by their names: it is given copies there.
func downloads(c *command) error {
	behaviour, w, err := wanted(c)
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
	if err := c.wants(heard{c.session, id}, w); err != nil {
		return err
	}
	c.mu.Lock()
	made := c.made[id]
	c.mu.Unlock()
	if !made || behaviour == "default" {
		return c.answers(none{})
	}
	return c.puts(id, behaviour)
}

// wanted is what the params say.
func wanted(c *command) (behaviour string, w wish, err error) {
	if behaviour, err = param[string](c, "behavior"); err != nil {
		return "", w, err
	}
	if w.folder, err = param[string](c, "downloadPath"); err != nil {
		return "", w, err
	}
	if len(w.folder) > mostPath {
		return "", w, errors.New("downloadPath: it is longer than a path can be")
	}
	w.events, err = param[bool](c, "eventsEnabled")
	switch behaviour {
	case "allow":
		w.named = true
	case "allowAndName":
	default:
		w.folder = ""
	}
	return behaviour, w, err
}

// wants notes what a client wants, in place of what it wanted before.
func (b *browser) wants(h heard, w wish) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.hears, h)
	named := map[string]bool{filepath.Clean(w.folder): true}
	for _, other := range b.hears {
		named[filepath.Clean(other.folder)] = true
	}
	if delete(named, "."); len(named) > mostFolders { // "." is none
		return fmt.Errorf("over a limit: the client has named %d folders for downloads", mostFolders)
	}
	if (w.events || w.folder != "") && len(b.hears) < mostSessions {
		b.hears[h] = w
	}
	return nil
}

// puts has the browser put the files of a context that the client made where we look
// for them. The events of all would come, if we asked for any.
func (c *command) puts(id, behaviour string) error {
	p := map[string]any{"behavior": "deny", "browserContextId": id, "eventsEnabled": false}
	if behaviour != "deny" {
		own, err := c.folder()
		if err != nil {
			return err
		}
		p["behavior"], p["downloadPath"] = "allowAndName", own
	}
	done := make(chan error, 1)
	c.root.Send("Browser.setDownloadBehavior", p, func(_ json.RawMessage, err error) { done <- err })
	c.instead = func() (json.RawMessage, error) { return nothing, <-done }
	return nil
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
