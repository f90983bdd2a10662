package handlers

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"sync"

	"pwpipe/provider"
)

func logTools() []*provider.Tool {
	return []*provider.Tool{
		onSession(unlogged(ownWords(inProfile("record", "log-start", "Start log", "Write every request that succeeds from now on to a file, as a request script that `pwpipe run` replays, refs as selectors; what is typed is in it", 5, provider.Acts))), logStart),
		onSession(unlogged(ownWords(inProfile("record", "log-stop", "Stop log", "End the log; how many requests it holds", 5, provider.Acts))), logStop),
	}
}

// unlogged is a tool that a log leaves out: a replay would write over the
// script that it reads, or has nobody to send events to.
func unlogged(s provider.Spec) provider.Spec {
	s.Unlogged = true
	return s
}

// open reports whether a log is being written.
func (l *sessionLog) open() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file != nil
}

// sessionLog is the file that a session's requests are written to.
type sessionLog struct {
	mu    sync.Mutex
	file  *os.File // nil for none
	lines int
	err   error // of the first line that could not be written
}

type logStartParams struct {
	Path string `json:"path" doc:"NDJSON file to write"`
}

// logStart opens the file, for its owner only: passwords are typed too.
func logStart(_ context.Context, s *Session, in logStartParams) (string, error) {
	if err := checkTarget(in.Path); err != nil {
		return "", err
	}
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	if s.log.file != nil {
		return "", provider.Errorf(provider.KindFailed, "a log is being written to %s already", s.log.file.Name()).WithHint("log-stop ends it")
	}
	f, err := os.OpenFile(in.Path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", writeError(in.Path, err)
	}
	s.log.file, s.log.lines, s.log.err = f, 0, nil
	return in.Path, nil
}

// logStop closes the file.
func logStop(_ context.Context, s *Session, _ noParams) (int, error) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	if s.log.file == nil {
		return 0, provider.Errorf(provider.KindFailed, "no log is being written").WithHint("log-start begins one")
	}
	err := s.log.file.Close()
	if s.log.err != nil {
		err = s.log.err
	}
	name := s.log.file.Name()
	s.log.file = nil
	return s.log.lines, writeError(name, err)
}

// logCall writes one call that succeeded as a line.
func logCall(ctx context.Context, r provider.Request, err *provider.Error) {
	s, ok := ctx.Value(sessionKey{}).(*Session)
	if !ok || err != nil {
		return
	}
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	if s.log.file == nil {
		return
	}
	s.log.lines++
	whole, _ := s.log.file.Seek(0, io.SeekCurrent)
	refs, _ := ctx.Value(standaloneKey{}).(*standalone)
	line := struct {
		ID      int             `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
		Page    string          `json:"page,omitempty"`
		Timeout float64         `json:"timeout,omitempty"`
	}{s.log.lines, r.Tool, s.browser.unresolved(refs.rewrite(provider.SpecFrom(ctx), r.Params)), r.Page, r.Timeout.Seconds()}
	enc := json.NewEncoder(s.log.file)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		s.log.err = cmp.Or(s.log.err, err)
		s.log.lines--
		_ = s.log.file.Truncate(whole) // half a line would end the script
		_, _ = s.log.file.Seek(whole, io.SeekStart)
	}
}
