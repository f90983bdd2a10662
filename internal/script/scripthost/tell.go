package scripthost

import (
	"context"
	"time"
)

// TakesDialog reports whether a script has answered a dialog of a page. The script must say
// within soon whether it will, and answer within all.
func (r *Runtime) TakesDialog(soon, all time.Duration, page, message string) bool {
	short, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	f, err := r.call(short, "takesDialog", struct {
		Page    string `json:"page"`
		Message string `json:"message"`
	}{page, message}, nil)
	if err != nil {
		return false
	}
	taken, err := decode[struct {
		Takes  bool `json:"takes"`
		Dialog int  `json:"dialog"`
	}](f)
	if err != nil || !taken.Takes {
		return false
	}
	long, cancel := context.WithTimeout(context.Background(), all)
	defer cancel()
	_, err = r.call(long, "answeredDialog", struct {
		Dialog int `json:"dialog"`
	}{taken.Dialog}, nil)
	return err == nil
}

// ContextClosed tells scripts that a context is closed.
func (r *Runtime) ContextClosed(id string) {
	r.calls.tell("contextClosed", map[string]any{"context": id})
}

// Download tells scripts that a download has begun on a page.
func (r *Runtime) Download(page, name, url, file string) {
	r.calls.tell("download", map[string]any{"page": page, "guid": name, "url": url, "name": file})
}

// Downloaded tells scripts how a download ended.
func (r *Runtime) Downloaded(name string, err error) {
	r.calls.tell("downloaded", map[string]any{"guid": name, "failed": err != nil})
}
