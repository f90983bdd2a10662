// Package artifacts keeps which files tools wrote for which client, and hands them out
// to nobody else.
package artifacts

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/internal/text/routedid"
	"pwpipe/provider"
)

// Bounds.
const (
	maxKept = 500      // files of one session; above it the oldest is forgotten
	maxRead = 32 << 20 // largest file that is given out, in bytes
)

// scheme begins the URIs of files.
const scheme = "pwpipe://files/"

// Shelf has the files that tools of all sessions wrote: [provider.Files].
type Shelf struct {
	service string // the service's name among several, which URIs contain

	mu   sync.Mutex
	last int // number of the newest
	of   map[*browser.Session][]*artifact
}

// artifact is one file. Its identity is more than its path: a file that somebody puts
// there later is another one.
type artifact struct {
	provider.File
	number int         // in the order of offers
	path   string      // absolute
	client string      // who may read it
	is     os.FileInfo // nil until it is written
}

// New is an empty shelf of the service with that name.
func New(service string) *Shelf {
	return &Shelf{service: service, of: map[*browser.Session][]*artifact{}}
}

// shelved makes the shelf forget a session's files with the session.
var shelved browser.State[*browser.Session, sync.Once]

// Offer adds a file: [provider.Files].
func (sh *Shelf) Offer(ctx context.Context, name, path string) (provider.File, func()) {
	s, ok := browser.SessionFrom(ctx)
	full, err := filepath.Abs(path)
	if !ok || err != nil {
		return provider.File{}, func() {}
	}
	a := &artifact{path: full, client: provider.ClientFrom(ctx), File: provider.File{
		URI: scheme + routedid.New("f", sh.service), Name: name, MIME: mimeOf(path),
	}}
	shelved.Of(s).Do(func() { s.OnClosed(func() { sh.forget(s) }) })
	sh.mu.Lock()
	sh.last++
	a.number = sh.last
	list := sh.of[s]
	if len(list) >= maxKept {
		list = slices.Delete(list, 0, len(list)-maxKept+1)
	}
	sh.of[s] = append(list, a)
	sh.mu.Unlock()
	if s.Ended() { // after it was forgotten
		sh.forget(s)
	}
	return a.File, func() { sh.written(a) }
}

func (sh *Shelf) forget(s *browser.Session) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	delete(sh.of, s)
}

// written records the file's identity, now that it exists.
func (sh *Shelf) written(a *artifact) {
	f, info, err := files.OpenOwn(a.path)
	if err != nil {
		return // a read reports it
	}
	_ = f.Close()
	sh.mu.Lock()
	defer sh.mu.Unlock()
	a.is, a.Size = info, info.Size()
}

// List lists what was written for a client: [provider.Files].
func (sh *Shelf) List(ctx context.Context, session string) []provider.File {
	client := provider.ClientFrom(ctx)
	var found []*artifact
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for s, all := range sh.of {
		if session != "" && s.Options.ID != session {
			continue
		}
		for _, a := range all {
			if a.client == client && a.is != nil {
				found = append(found, a)
			}
		}
	}
	slices.SortFunc(found, func(a, b *artifact) int { return a.number - b.number })
	list := make([]provider.File, len(found))
	for i, a := range found {
		list[i] = a.File
	}
	return list
}

// find is the file of a URI that a client may read, nil for none.
func (sh *Shelf) find(client, uri string) *artifact {
	for _, all := range sh.of {
		for _, a := range all {
			if a.URI == uri && a.client == client {
				return a
			}
		}
	}
	return nil
}

// Read reads a file whole: [provider.Files].
func (sh *Shelf) Read(ctx context.Context, uri string) (provider.File, []byte, error) {
	sh.mu.Lock()
	found := sh.find(provider.ClientFrom(ctx), uri)
	if found == nil {
		sh.mu.Unlock()
		return provider.File{}, nil, provider.Errorf(provider.KindNoTarget, "no tool wrote this file for this client").
			WithHint("only the client whose call wrote a file can read it, until its session is closed")
	}
	a := *found
	sh.mu.Unlock()
	if a.is == nil {
		return a.File, nil, provider.Errorf(provider.KindNoTarget, "%s is not written yet", a.Name).
			WithHint("a HAR is written when its context closes (close-ctx), a film with video-stop")
	}
	content, err := read(&a)
	return a.File, content, err
}

// read reads a file if it is still the one that was written.
func read(a *artifact) ([]byte, error) {
	f, info, err := files.OpenOwn(a.path)
	if err != nil {
		return nil, provider.Errorf(provider.KindNoTarget, "%s can no longer be read: %w", a.Name, err)
	}
	defer f.Close()
	if !os.SameFile(a.is, info) || info.Size() != a.is.Size() || !info.ModTime().Equal(a.is.ModTime()) {
		return nil, provider.Errorf(provider.KindNoTarget, "%s was replaced by another file", a.Name).
			WithHint("call the tool that wrote it again")
	}
	if info.Size() > maxRead {
		return nil, provider.Errorf(provider.KindLimit, "%s has %d MiB, and the limit for reading is %d MiB",
			a.Name, info.Size()>>20, maxRead>>20)
	}
	content := make([]byte, info.Size())
	for n := 0; n < len(content); {
		more, err := f.Read(content[n:])
		if n += more; err != nil {
			return nil, provider.Errorf(provider.KindFailed, "%s can't be read: %w", a.Name, err)
		}
	}
	return content, nil
}

// types are the content types of files that tools write, and of common downloads.
var types = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	".svg": "image/svg+xml",
	".pdf": "application/pdf", ".avi": "video/x-msvideo", ".webm": "video/webm", ".zip": "application/zip",
	".json": "application/json", ".har": "application/json", ".ndjson": "application/x-ndjson", ".xml": "application/xml",
	".txt": "text/plain", ".log": "text/plain", ".md": "text/markdown", ".html": "text/html", ".htm": "text/html",
	".css": "text/css", ".csv": "text/csv",
}

// mimeOf is the type of a file by its ending.
func mimeOf(path string) string {
	if kind := types[strings.ToLower(filepath.Ext(path))]; kind != "" {
		return kind
	}
	return "application/octet-stream"
}
