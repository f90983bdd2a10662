// Package perftrace reads traces of Chromium: it keeps what belongs to one page, in
// DevTools' own format, and says what took the page's time.
//
// A trace is of the whole browser: Chromium records the renderers of all pages, and its
// own process, which works for all sessions. So events are kept by an allow-list: the
// events of the page's renderers, and of the browser's process the few
// that name the page's frames.
package perftrace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// Categories are what a trace records: those of DevTools' Performance panel, but no
// pictures of the screen.
var Categories = []string{
	"blink.console", "blink.user_timing", "devtools.timeline", "disabled-by-default-devtools.timeline",
	"disabled-by-default-devtools.timeline.frame", "disabled-by-default-devtools.timeline.stack",
	"disabled-by-default-v8.cpu_profiler", "disabled-by-default-lighthouse", "latencyInfo",
	"loading", "v8", "v8.execute",
}

// MaxBytes bounds a trace that is kept.
const MaxBytes = 256 << 20

// maxEvent bounds an event: a page decides how long its marks and stacks are.
const maxEvent = 4 << 20

var errForm = errors.New("the browser sent a trace in an unknown form")

// event is what is read of an event.
type event struct {
	Name string          `json:"name"`
	Cat  string          `json:"cat"`
	Ph   string          `json:"ph"`
	PID  int64           `json:"pid"`
	TID  int64           `json:"tid"`
	TS   float64         `json:"ts"`
	Dur  float64         `json:"dur"`
	Args json.RawMessage `json:"args"`
}

// has reports whether the event is of a category. Pages choose the names of some events,
// but no categories.
func (e *event) has(category string) bool {
	return slices.Contains(strings.Split(e.Cat, ","), category)
}

// frame is a frame of the page, as the browser's process tells it.
type frame struct {
	ID      string `json:"frame"`
	Parent  string `json:"parent"`
	URL     string `json:"url"`
	Process int64  `json:"processId"`
}

// framed is the categories of the events that tell frames.
const framed = "disabled-by-default-devtools.timeline"

// ofBrowser are the events of the browser's process that are kept: they are of the
// frames of the page whose session records.
var ofBrowser = []string{"TracingStartedInBrowser", "FrameCommittedInBrowser", "ProcessReadyInBrowser",
	"FrameDeletedInBrowser"}

// namesOfBrowser are what is kept of what names processes and threads: their labels are
// titles of pages.
var namesOfBrowser = []string{"process_name", "thread_name", "process_sort_index"}

// pages is what is known of the page's renderers.
type pages struct {
	browser   int64
	renderers map[int64]bool
	main      string // the main frame
}

// take reads an event that tells frames.
func (p *pages) take(e *event) {
	if e.Cat != framed || !slices.Contains(ofBrowser, e.Name) || p.renderers[e.PID] {
		return
	}
	var args struct {
		Data struct {
			frame
			Frames []frame `json:"frames"`
		} `json:"data"`
	}
	if json.Unmarshal(e.Args, &args) != nil {
		return
	}
	if e.Name == "TracingStartedInBrowser" {
		p.browser = e.PID
	}
	if e.PID != p.browser {
		return
	}
	for _, f := range append(args.Data.Frames, args.Data.frame) {
		if f.Process != 0 {
			p.renderers[f.Process] = true
		}
		if f.ID != "" && f.Parent == "" && e.Name == "TracingStartedInBrowser" && p.main == "" {
			p.main = f.ID
		}
	}
}

// keeps reports whether an event belongs to the page.
func (p *pages) keeps(e *event) bool {
	switch {
	case p.renderers[e.PID]:
		return true
	case e.PID != p.browser || p.browser == 0:
		return false
	case e.Ph == "M":
		return e.Cat == "__metadata" && slices.Contains(namesOfBrowser, e.Name)
	}
	return e.Cat == framed && slices.Contains(ofBrowser, e.Name)
}

// Written is what was kept of a trace.
type Written struct {
	Events  int
	Left    int // events of the page that were left out, since there was no room
	Summary *Summary
}

// Filter reads a trace twice, and writes what belongs to the page. open opens the trace
// from its beginning: which renderers are the page's stands anywhere in it.
func Filter(open func() (io.ReadCloser, error), to io.Writer, mask func(string) string) (*Written, error) {
	p := &pages{renderers: map[int64]bool{}}
	err := each(open, func(raw []byte) error {
		var e event
		if bytes.Contains(raw, []byte(`InBrowser"`)) && json.Unmarshal(raw, &e) == nil {
			p.take(&e)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if p.browser == 0 || len(p.renderers) == 0 {
		return nil, errors.New("the trace does not say which process the page is in")
	}
	w, s := &Written{}, newSummary(p, mask)
	out := bufio.NewWriterSize(to, 64<<10)
	left := MaxBytes
	_, _ = out.WriteString(`{"metadata":{"source":"DevTools","dataOrigin":"TraceEvents"},"traceEvents":[`)
	err = each(open, func(raw []byte) error {
		var e event
		if json.Unmarshal(raw, &e) != nil || !p.keeps(&e) {
			return nil
		}
		s.take(&e)
		if left -= len(raw) + 2; left < 0 {
			w.Left++
			return nil
		}
		if w.Events++; w.Events > 1 {
			_ = out.WriteByte(',')
		}
		_ = out.WriteByte('\n')
		_, err := out.Write(raw)
		return err
	})
	if err != nil {
		return nil, err
	}
	_, _ = out.WriteString("\n]}\n")
	w.Summary = s.done()
	return w, out.Flush()
}

func each(open func() (io.ReadCloser, error), do func(raw []byte) error) error {
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	d := json.NewDecoder(bufio.NewReaderSize(in, 256<<10))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errForm
	}
	for {
		name, err := d.Token()
		if err != nil {
			return errForm
		}
		if name == "traceEvents" {
			break
		}
		var other json.RawMessage
		if d.Decode(&other) != nil {
			return errForm
		}
	}
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errForm
	}
	for d.More() {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return errForm
		}
		if len(raw) > maxEvent {
			continue
		}
		if err := do(raw); err != nil {
			return err
		}
	}
	return nil
}
