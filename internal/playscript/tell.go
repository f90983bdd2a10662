package playscript

import "context"

// TakesDialog reports whether a script answers a dialog of a page.
func (r *Runtime) TakesDialog(ctx context.Context, page, message string) bool {
	f, err := r.call(ctx, "takesDialog", struct {
		Page    string `json:"page"`
		Message string `json:"message"`
	}{page, message}, nil)
	if err != nil {
		return false
	}
	answer, err := decode[struct {
		Takes bool `json:"takes"`
	}](f)
	return err == nil && answer.Takes
}

// ContextClosed tells that a context is closed.
func (r *Runtime) ContextClosed(id string) {
	_ = r.control.write(called{Name: "contextClosed", Args: map[string]any{"context": id}}, nil)
}

// Download tells of a download that has begun on a page, Downloaded of one that
// has ended.
func (r *Runtime) Download(page, name, url, file string) {
	_ = r.control.write(called{Name: "download", Args: map[string]any{"page": page, "guid": name, "url": url, "name": file}}, nil)
}

// Downloaded tells how a download ended.
func (r *Runtime) Downloaded(name string, err error) {
	_ = r.control.write(called{Name: "downloaded", Args: map[string]any{"guid": name, "failed": err != nil}}, nil)
}
