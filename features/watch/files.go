package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pwpipe/features/film"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/record"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// recordTime bounds the start of a recording, and its writing.
const recordTime = time.Minute

// maxFile is the largest file for a person, in bytes.
const maxFile = 256 << 20

// recordKind is a kind of recording: its tools, for a person.
type recordKind struct {
	file  string // if begin does not answer it
	begin func(c *tool.Call, path string) (file string, err error)
	stop  func(c *tool.Call, path string) error
}

var recorders = map[string]recordKind{
	"trace": {"trace.zip", func(c *tool.Call, path string) (string, error) { return path, record.BeginTrace(c, path) }, record.EndTrace},
	"film":  {"film", film.BeginFilm, film.EndFilm},
}

// types are the media types of the files, by file name extension.
var types = map[string]string{".zip": "application/zip", ".webm": "video/webm", ".avi": "video/x-msvideo"}

// recording is a recording that a person began.
type recording struct {
	what string
	page *browser.Page
	dir  string // for the file, which nobody else may read
	path string
}

// record begins a recording of the session, or ends it and sends the file.
func (l *look) record(d doing) error {
	kind, ok := recorders[d.What]
	p := l.current()
	switch {
	case !ok || p == nil:
		return provider.Errorf(provider.KindNoTarget, "there is no page to record")
	case d.What == "trace" && !l.viewer.all && p.Session.Browser.Config.Mask != nil:
		return provider.Errorf(provider.KindBlocked, "blocked: a trace holds the values of secrets; only a person who logged in with the operator's key gets it")
	}
	return l.viewer.aside(func() error {
		defer l.of.bell.ring()
		if d.On {
			return l.of.beginRecording(l.ctx, p, d.What, kind)
		}
		return l.viewer.endRecording(l.of, d.What, kind)
	})
}

// beginRecording begins a recording of a kind; the session has at most one of each.
func (v *view) beginRecording(ctx context.Context, p *browser.Page, what string, kind recordKind) error {
	v.recordings.Lock()
	defer v.recordings.Unlock()
	if v.recorded(what) != nil {
		return nil
	}
	dir, err := files.NewFolder(os.TempDir(), files.WatchPrefix)
	if err != nil {
		return err
	}
	path := ""
	err = onPage(ctx, p, func(c *tool.Call) (err error) {
		path, err = kind.begin(c, filepath.Join(dir, kind.file))
		return err
	})
	if err != nil {
		_ = os.RemoveAll(dir)
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.records = append(v.records, &recording{what, p, dir, path})
	return nil
}

// endRecording ends it, and sends the file to the person.
func (v *viewer) endRecording(own *view, what string, kind recordKind) error {
	own.recordings.Lock()
	defer own.recordings.Unlock()
	r := own.recorded(what)
	if r == nil {
		return nil
	}
	defer os.RemoveAll(r.dir)
	err := onPage(context.WithoutCancel(v.ctx), r.page, func(c *tool.Call) error { return kind.stop(c, r.path) })
	if own.forget(r); err != nil {
		return err
	}
	return v.handOver(r.path, filepath.Base(r.path))
}

// handOver sends a recording to the person.
func (v *viewer) handOver(path, name string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return errors.New("the recording is lost")
	case info.Size() > maxFile:
		return provider.Errorf(provider.KindLimit, "the file has %d MiB, which is too large to be sent here", info.Size()>>20)
	}
	bytes, err := os.ReadFile(path)
	if err != nil {
		return errors.New("the recording is lost")
	}
	return v.file(name, types[strings.ToLower(filepath.Ext(path))], bytes)
}

// sendFilm sends a film that a call of the session has made, from where it is.
func (l *look) sendFilm(d doing) error {
	list := film.FilmsOf(l.session)
	at := slices.IndexFunc(list, func(m film.Made) bool { return m.Number == d.Number })
	if at < 0 {
		return provider.Errorf(provider.KindNoTarget, "the film was removed")
	}
	return l.viewer.aside(func() error {
		path := list[at].Path
		if err := files.MayTouch(path); err != nil {
			return err
		}
		return l.viewer.handOver(path, l.viewer.hub.Pool.Browser.Short(filepath.Base(path), 80))
	})
}

// onPage runs a tool's function on a page, without a call.
func onPage(ctx context.Context, p *browser.Page, do func(*tool.Call) error) error {
	ctx, cancel := context.WithTimeout(ctx, recordTime)
	defer cancel()
	return browser.AwaitDo(ctx, p.Engine, nil, func() error { return do(&tool.Call{Ctx: ctx, Page: p}) })
}

// recorded is the recording of a kind, nil for none.
func (v *view) recorded(what string) *recording {
	v.mu.Lock()
	defer v.mu.Unlock()
	if i := slices.IndexFunc(v.records, func(r *recording) bool { return r.what == what }); i >= 0 {
		return v.records[i]
	}
	return nil
}

func (v *view) forget(r *recording) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.records = slices.DeleteFunc(v.records, func(o *recording) bool { return o == r })
}

// dropRecordings removes recordings that nobody fetched.
func (v *view) dropRecordings() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.records {
		_ = os.RemoveAll(r.dir)
	}
	v.records = nil
}
