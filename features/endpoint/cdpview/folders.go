package cdpview

import (
	"encoding/json"
	"errors"
	"path/filepath"

	"pwpipe/internal/machine/writefile"
)

// Downloads say where files of downloads are.
type Downloads struct {
	// Folder creates a folder for a client, for the files of the contexts that the client
	// makes. It is removed when the client leaves.
	Folder func() (string, error)
	// Path is where the browser puts the complete file of a download in one of the
	// session's contexts; "" if that is not known.
	Path func(guid string) string
	// Give copies a file to where a client looks for it, if the session may write there,
	// and returns its path. With beside, a name that is taken is replaced by a free one.
	Give func(path, from string, beside bool) (at string, err error)
}

// place is a folder in which a client looks for files: by their own names, or by their
// ids.
type place struct {
	folder string
	named  bool
}

// path is where the file of a download is to be. The server chooses the file's name: no
// part of it may choose the folder.
func (p place) path(guid, name string) string {
	if !p.named {
		return filepath.Join(p.folder, filepath.Base(guid))
	}
	return filepath.Join(p.folder, writefile.Name(name))
}

const (
	maxPath    = 4096 // length of a folder's path
	maxFolders = 8    // folders that a client may name: each gets a copy of each file
)

// downloadBehavior judges Browser.setDownloadBehavior. Whatever a client says, the browser
// puts files into the session's folder, or into the client's own for contexts that the
// client made. The folder that the client names gets copies.
func downloadBehavior(c *command) error {
	var behaviour, id string
	var w wish
	if err := c.decode(map[string]any{"behavior": &behaviour, "downloadPath": &w.folder,
		"eventsEnabled": &w.events, "browserContextId": &id}); err != nil {
		return err
	}
	if len(w.folder) > maxPath {
		return errors.New("downloadPath: the path is too long")
	}
	w.named = behaviour == "allow"
	if !w.named && behaviour != "allowAndName" {
		w.folder = ""
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
		return c.answers(nothing)
	}
	if err := c.downloads.subscribe(subscription{c.session, id}, w); err != nil {
		return err
	}
	if !c.made.contains(id) || behaviour == "default" {
		return c.answers(nothing)
	}
	return c.redirectDownloads(id, behaviour)
}

// redirectDownloads has the browser put the files of a context that the client made into
// the client's own folder. It asks for no events: those of all contexts would come.
func (c *command) redirectDownloads(id, behaviour string) error {
	p := map[string]any{"behavior": "deny", "browserContextId": id, "eventsEnabled": false}
	if behaviour != "deny" {
		own, err := c.downloads.ownFolder()
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
