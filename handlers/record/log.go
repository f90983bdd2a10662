package record

import (
	"cmp"
	"context"
	"io"
	"os"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
)

// logging is the log of a session.
var logging browser.State[*browser.Session, sessionLog]

// sessionLog is the file with a session's requests.
type sessionLog struct {
	mu    sync.Mutex
	file  *os.File // nil for none
	lines int
	err   error // of the first line that could not be written
}

type logStartParams struct {
	Path tool.WritePath `json:"path" doc:"NDJSON file to write"`
}

// logStart opens the file, readable by its owner only: it has typed passwords too.
func logStart(_ context.Context, s *browser.Session, in logStartParams) (string, error) {
	path := string(in.Path)
	l := logging.Of(s)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		return "", provider.Errorf(provider.KindFailed, "a log is being written to %s already", l.file.Name()).WithHint("log-stop ends it")
	}
	f, err := files.Empty(path, writefile.Private)
	if err != nil {
		return "", err
	}
	l.file, l.lines, l.err = f, 0, nil
	return path, nil
}

// logStop closes the file.
func logStop(_ context.Context, s *browser.Session, _ tool.NoParams) (int, error) {
	l := logging.Of(s)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return 0, provider.Errorf(provider.KindFailed, "no log is being written").WithHint("log-start begins one")
	}
	err := l.file.Close()
	if l.err != nil {
		err = l.err
	}
	name := l.file.Name()
	l.file = nil
	return l.lines, files.WriteError(name, err)
}

// Logging reports whether the calls of the session under ctx are written down.
func Logging(ctx context.Context) bool {
	s, ok := browser.SessionFrom(ctx)
	return ok && Logged(s)
}

// Logged reports whether a log of the session is open.
func Logged(s *browser.Session) bool {
	l := logging.Of(s)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file != nil
}

// LogCall writes the call under ctx, which has succeeded, as a line.
func LogCall(ctx context.Context) {
	s, ok := browser.SessionFrom(ctx)
	if !ok || !Logged(s) {
		return
	}
	r, notes := provider.RequestFrom(ctx), tool.RefNotesFrom(ctx)
	LogLine(s, tool.Line{Method: r.Tool,
		Params: s.Browser.Unresolved(notes.Rewrite(provider.SpecFrom(ctx), r.Params)),
		Page:   r.Page, Timeout: r.Timeout.Seconds(), Element: notes.Elements()})
}

// LogLine writes a line into the session's log, if one is open.
func LogLine(s *browser.Session, line tool.Line) {
	l := logging.Of(s)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return
	}
	l.lines++
	line.ID = l.lines
	whole, _ := l.file.Seek(0, io.SeekCurrent)
	if err := line.Write(l.file); err != nil {
		l.err = cmp.Or(l.err, err)
		l.lines--
		_ = l.file.Truncate(whole) // half a line would make the script invalid
		_, _ = l.file.Seek(whole, io.SeekStart)
	}
}
