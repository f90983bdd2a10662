package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/record"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// recordTime bounds how long a recording may take to begin, and to be written.
const recordTime = time.Minute

// mostFile is the longest file that a person is handed, in bytes.
const mostFile = 256 << 20

// recorder is a kind of recording: what its tools do, for a person.
type recorder struct {
	file, kind  string
	begin, stop func(c *tool.Call, path string) error
}

var recorders = map[string]recorder{
	"trace": {"trace.zip", "application/zip", record.BeginTrace, record.EndTrace},
	"film":  {"film.avi", "video/x-msvideo", record.BeginFilm, record.EndFilm},
}

// recording is one that a person began.
type recording struct {
	what string
	page *browser.Page
	dir  string // for the file, which nobody else may read
}

// record begins a recording of the session, or ends it and hands over the file.
func (v *viewer) record(d doing) error {
	l, own, err := v.looked()
	if err != nil {
		return err
	}
	kind, ok := recorders[d.What]
	p := l.current()
	switch {
	case !ok || p == nil:
		return provider.Errorf(provider.KindNoTarget, "there is no page to record")
	case d.What == "trace" && !v.all && p.Session.Browser.Config.Mask != nil:
		return provider.Errorf(provider.KindBlocked, "blocked: a trace holds the values of secrets: only who logs in with the operator's key has it")
	}
	return v.aside(func() {
		var err error
		if d.On {
			err = own.beginRecording(l.ctx, p, d.What, kind)
		} else {
			err = v.endRecording(own, d.What, kind)
		}
		if err != nil {
			v.complain(err)
		}
		own.bell.ring()
	})
}

// beginRecording begins one of a kind; the session has one of each at most.
func (v *view) beginRecording(ctx context.Context, p *browser.Page, what string, kind recorder) error {
	v.recordings.Lock()
	defer v.recordings.Unlock()
	if v.recorded(what) != nil {
		return nil
	}
	dir, err := files.NewFolder(os.TempDir(), files.WatchPrefix)
	if err != nil {
		return err
	}
	err = onPage(ctx, p, func(c *tool.Call) error { return kind.begin(c, filepath.Join(dir, kind.file)) })
	if err != nil {
		_ = os.RemoveAll(dir)
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.records = append(v.records, &recording{what, p, dir})
	return nil
}

// endRecording ends it, and hands the person the file.
func (v *viewer) endRecording(own *view, what string, kind recorder) error {
	own.recordings.Lock()
	defer own.recordings.Unlock()
	r := own.recorded(what)
	if r == nil {
		return nil
	}
	path := filepath.Join(r.dir, kind.file)
	err := onPage(context.WithoutCancel(v.ctx), r.page, func(c *tool.Call) error { return kind.stop(c, path) })
	if own.forget(r); err != nil {
		_ = os.RemoveAll(r.dir)
		return err
	}
	defer os.RemoveAll(r.dir)
	if info, err := os.Stat(path); err == nil && info.Size() > mostFile {
		return provider.Errorf(provider.KindLimit, "the file is of %d MiB: too long to be handed over here", info.Size()>>20)
	}
	bytes, err := os.ReadFile(path)
	if err != nil {
		return errors.New("the recording is lost")
	}
	return v.file(kind.file, kind.kind, bytes)
}

// onPage does something on a page that a tool does, for nobody's call.
func onPage(ctx context.Context, p *browser.Page, do func(*tool.Call) error) error {
	ctx, cancel := context.WithTimeout(ctx, recordTime)
	defer cancel()
	return browser.AwaitDo(ctx, p.Engine, nil, func() error { return do(&tool.Call{Ctx: ctx, Page: p}) })
}

// recorded is the recording of a kind, nil for none.
func (v *view) recorded(what string) *recording {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.records {
		if r.what == what {
			return r
		}
	}
	return nil
}

func (v *view) forget(r *recording) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.records = slices.DeleteFunc(v.records, func(o *recording) bool { return o == r })
}

// dropRecordings removes what nobody took.
func (v *view) dropRecordings() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.records {
		_ = os.RemoveAll(r.dir)
	}
	v.records = nil
}
