package provider

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// File is a file that a tool wrote, offered to a client that can't reach the machine's
// own files.
type File struct {
	URI  string // the client reads the file by it; nobody can guess it
	Name string
	MIME string
	Size int64 // in bytes
}

// Files offers to clients the files that tools wrote. The handlers implement it.
type Files interface {
	// Offer registers a file by its path, for the client and the session that ctx
	// belongs to. The file becomes available when written is called.
	Offer(ctx context.Context, name, path string) (file File, written func())
	// List lists the files written for the client that ctx belongs to, in one session
	// or, for "", in all of them.
	List(ctx context.Context, session string) []File
	// Read reads one of these files.
	Read(ctx context.Context, uri string) (File, []byte, error)
}

// written are the files of the call.
func (x *exchange) written() []File {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.files)
}

// Wrote registers a file that the tool of ctx has written.
func Wrote(ctx context.Context, path string) { Writes(ctx, path)() }

// Writes registers a file that the tool of ctx is writing. It becomes available when
// written is called.
func Writes(ctx context.Context, path string) (written func()) {
	x, r := exchangeIn(ctx), runningIn(ctx)
	if x == nil || r.table == nil || r.table.options.Files == nil {
		return func() {}
	}
	file, written := r.table.options.Files.Offer(ctx, r.table.nameOf(r.request, path), path)
	if file.URI == "" { // there is no session that it could belong to
		return written
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.files = append(x.files, file)
	return written
}

// nameOf is the file's name for its client. If page texts are marked, a name that the
// caller did not choose counts as the page's, and a link has no place for markers.
func (t *Table) nameOf(r Request, path string) string {
	name := filepath.Base(path)
	if t.marker != nil && !strings.Contains(string(r.words()), name) {
		name = "file" + plainEnding(name)
	}
	return t.MaskText(name)
}

// plainEnding is the ending of a name, "" if no program would know it.
func plainEnding(name string) string {
	ending := filepath.Ext(name)
	odd := func(r rune) bool { return r >= utf8.RuneSelf || !inWord(byte(r)) }
	if len(ending) > 6 || strings.ContainsFunc(strings.TrimPrefix(ending, "."), odd) {
		return ""
	}
	return ending
}

// shows are the kinds of files that show a page's picture, like a screenshot. Contents
// decide, since the server chooses the name.
var shows = []string{"image/png", "image/jpeg", "application/pdf", "video/avi", "video/webm"}

// ReadFile reads a file for a client, as text or bytes. It hides what replies hide: in
// texts secrets are masked and page texts are marked. If there are secrets, only
// pictures of pages are given besides texts.
func (t *Table) ReadFile(ctx context.Context, uri string) (f File, text string, bytes []byte, err error) {
	f, bytes, err = t.options.Files.Read(ctx, uri)
	if err != nil {
		return f, "", nil, t.MaskError(AsError(err))
	}
	guarded := t.options.Secrets != nil || t.marker != nil
	switch {
	case utf8.Valid(bytes) && (guarded || isTextual(f.MIME)):
		return f, t.bound(t.MaskText(string(bytes))), nil, nil
	case t.options.Secrets != nil && !slices.Contains(shows, http.DetectContentType(bytes)):
		err = Errorf(KindBlocked, "blocked: %s may hold the values of secrets, which can't be masked in it", f.Name)
		return f, "", nil, err
	}
	return f, "", bytes, nil
}

// isTextual reports whether a MIME type is text.
func isTextual(mime string) bool {
	texts := []string{"application/json", "application/xml", "application/x-ndjson"}
	return strings.HasPrefix(mime, "text/") || slices.Contains(texts, mime)
}
