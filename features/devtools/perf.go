package devtools

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pwpipe/features/devtools/heap"
	"pwpipe/features/devtools/perftrace"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
)

// longestPerf bounds a recording: a browser has one at a time, for all its sessions.
const longestPerf = 2 * time.Minute

// maxRawTrace bounds what the browser records, in KiB of its own form. As text that is a
// few times as much.
const maxRawTrace = 64 << 10

// performing is the recording of a page.
var performing browser.State[*browser.Page, perf]

type perf struct {
	turning sync.Mutex   // held while a recording begins or ends
	session *cdp.Session // nil for no recording
	late    bool         // the last one ended by itself
}

// startPerf is Tracing.start on a session with the page. Chromium records all pages, and
// tells in the trace which frames are this page's.
func startPerf(c *tool.Call, _ tool.NoParams) error {
	line, err := ownProcess(c, "performance trace")
	if err != nil {
		return err
	}
	p := performing.Of(c.Page)
	p.turning.Lock()
	defer p.turning.Unlock()
	if p.session != nil {
		return provider.Errorf(provider.KindFailed, "the page's performance is being recorded already").
			WithHint("perf-trace-stop ends it")
	}
	s, err := line.Attach(c.Ctx, c.Target())
	if err != nil {
		return err
	}
	err = s.Call(c.Ctx, "Tracing.start", map[string]any{
		"transferMode": "ReturnAsStream", "streamFormat": "json", "tracingBackend": "chrome",
		"traceConfig": map[string]any{"recordMode": "recordUntilFull", "traceBufferSizeInKb": maxRawTrace,
			"includedCategories": perftrace.Categories, "excludedCategories": []string{"*"}},
	}, nil)
	if err != nil {
		s.Drop()
		var own *cdp.Error
		if errors.As(err, &own) && strings.Contains(own.Message, "already been started") {
			return provider.Errorf(provider.KindLimit, "the browser records another trace, and can't record two").
				WithHint("try again when that has ended, after two minutes at most")
		}
		return err
	}
	p.session, p.late = s, false
	timer := time.AfterFunc(longestPerf, func() { p.giveUp(s) })
	go func() {
		select {
		case <-c.Page.Gone:
			s.Drop()
		case <-s.Gone():
		}
		timer.Stop()
	}()
	return nil
}

// giveUp ends a recording that nobody ended.
func (p *perf) giveUp(s *cdp.Session) {
	p.turning.Lock()
	defer p.turning.Unlock()
	if p.session == s {
		p.session, p.late = nil, true
		s.Drop()
	}
}

type perfParams struct {
	Path tool.WritePath `json:"path" doc:".json file"`
}

// stopPerf is Tracing.end.
func stopPerf(c *tool.Call, in perfParams) (string, error) {
	path := string(in.Path)
	if err := files.CheckEnding("path", path, ".json"); err != nil {
		return "", err
	}
	p := performing.Of(c.Page)
	p.turning.Lock()
	defer p.turning.Unlock()
	s := p.session
	if s == nil {
		why := "the page's performance is not being recorded"
		if p.late {
			why = fmt.Sprintf("the recording was given up after %s", longestPerf)
		}
		return "", provider.Errorf(provider.KindFailed, "%s", why).WithHint("perf-trace-start begins it")
	}
	p.session = nil
	defer s.Drop()
	raw := filepath.Join(c.Engine.Driver.Temp, "trace-"+rand.Text()+".json")
	defer os.Remove(raw)
	if err := endTrace(c.Ctx, s, raw); err != nil {
		return "", err
	}
	written, err := filtered(c, raw, path)
	if err != nil {
		return "", err
	}
	provider.Wrote(c.Ctx, path)
	about := fmt.Sprintf("%s: %d events", path, written.Events)
	if info, err := os.Stat(path); err == nil {
		about += ", " + heap.Size(info.Size())
	}
	if written.Left > 0 {
		about += fmt.Sprintf("; %d later ones were left out", written.Left)
	}
	return about + "\n" + written.Summary.Text(), nil
}

// filtered writes the page's part of a trace.
func filtered(c *tool.Call, raw, path string) (written *perftrace.Written, err error) {
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		open := func() (io.ReadCloser, error) { return os.Open(raw) }
		written, err = perftrace.Filter(open, w, c.Session.Browser.Config.Mask)
		_ = w.CloseWithError(err)
	}()
	werr := files.WritePrivateStream(path, r)
	_ = r.CloseWithError(errors.Join(io.ErrClosedPipe, werr)) // nobody reads any more
	<-done
	if werr != nil {
		return nil, werr
	}
	return written, err
}

// endTrace ends a trace and stores it as the browser sends it.
func endTrace(ctx context.Context, s *cdp.Session, path string) error {
	ended := make(chan string, 1)
	off := s.On("Tracing.tracingComplete", func(params json.RawMessage) {
		var e struct{ Stream string }
		_ = json.Unmarshal(params, &e)
		select {
		case ended <- e.Stream:
		default:
		}
	})
	defer off()
	if err := s.Call(ctx, "Tracing.end", nil, nil); err != nil {
		return err
	}
	var stream string
	select {
	case stream = <-ended:
	case <-s.Gone():
		return cdp.ErrGone
	case <-ctx.Done():
		return ctx.Err()
	}
	f, err := writefile.New(path, writefile.Private)
	if err != nil {
		return err
	}
	defer f.Close()
	defer s.Send("IO.close", map[string]any{"handle": stream}, nil)
	for left := int64(maxTraceText); ; {
		var part struct {
			Data    string
			Encoded bool `json:"base64Encoded"`
			EOF     bool
		}
		if err := s.Call(ctx, "IO.read", map[string]any{"handle": stream, "size": 4 << 20}, &part); err != nil {
			return err
		}
		data := []byte(part.Data)
		if part.Encoded {
			if data, err = base64.StdEncoding.DecodeString(part.Data); err != nil {
				return err
			}
		}
		if left -= int64(len(data)); left < 0 {
			return provider.Errorf(provider.KindLimit, "the trace is larger than %d MiB", maxTraceText>>20).
				WithHint("record for a shorter time")
		}
		if _, err := f.Write(data); err != nil {
			return err
		}
		if part.EOF {
			return f.Close()
		}
	}
}

// maxTraceText bounds the trace that a browser sends.
const maxTraceText = 512 << 20
