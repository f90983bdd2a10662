// Package recorder writes what a person does on the pages of a session as requests, with
// Playwright's own recorder.
package recorder

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"sync"
	"time"
	"unsafe"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
)

// step is a request that does what a person did.
type step struct {
	Method  string
	Params  map[string]any
	Page    string // its handle, "" for the active page
	Note    string // for who replays it
	Element map[string]tool.About
}

// channel is a Playwright object's line to the driver. playwright-go has no call for
// the recorder.
type channel interface {
	Send(method string, options ...any) (any, error)
	On(name string, handler any)
}

// channelOf reads a private field of playwright-go's context.
func channelOf(c playwright.BrowserContext) (channel, error) {
	v := reflect.ValueOf(c)
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		if f := v.Elem().FieldByName("channel"); f.IsValid() && f.Kind() == reflect.Pointer {
			if own, ok := reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Interface().(channel); ok {
				return own, nil
			}
		}
	}
	return nil, errors.New("playwright-go has changed: the recorder can't be reached")
}

// guid is the driver's name of a page.
func guid(pw playwright.Page) string {
	v := reflect.ValueOf(pw)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return ""
	}
	f := v.Elem().FieldByName("guid")
	if f.Kind() != reflect.String {
		return ""
	}
	return f.String()
}

// recordings are those of each session: one a context, which starts and stops.
var recordings = browser.State[*browser.Session, all]{New: func(*browser.Session) *all {
	return &all{of: map[playwright.BrowserContext]*recording{}}
}}

type all struct {
	mu sync.Mutex
	of map[playwright.BrowserContext]*recording
}

// recording is what a person does in one context.
type recording struct {
	session *browser.Session
	context playwright.BrowserContext
	events  chan func() // handled one by one, away from the driver's callbacks

	mu   sync.Mutex
	emit func(tool.Line) // nil while nobody records

	// Of the goroutine that handles the events:
	pending *step // may yet change: a click into a double click or a download
	kind    string
	last    map[*browser.Page]done // what was done last on a page
	timer   *time.Timer
	asking  bool // a dialog is open: what it came from waits for the answer
}

// done is an action of a person.
type done struct {
	name string
	at   time.Time
}

// Start records what a person does in all contexts of a session until stop, which
// returns once all of it has been emitted, in order. The person sees dialogs, and answers
// them.
func Start(ctx context.Context, s *browser.Session, emit func(tool.Line)) (stop func(), err error) {
	var running []*recording
	stop = func() {
		for _, r := range running {
			r.stop()
		}
	}
	for _, p := range s.OpenPages() {
		r, fresh := recordings.Of(s).get(s, p.Context)
		if !fresh && r.isOn() {
			continue
		}
		running = append(running, r)
		if err := r.start(ctx, p, emit); err != nil {
			stop()
			return nil, err
		}
	}
	return stop, nil
}

// get is the recording of a context.
func (a *all) get(s *browser.Session, c playwright.BrowserContext) (r *recording, fresh bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r = a.of[c]; r == nil {
		r = &recording{session: s, context: c, events: make(chan func(), 1024), last: map[*browser.Page]done{}}
		a.of[c], fresh = r, true
		go r.run()
	}
	return r, fresh
}

// recordingOf is a page's running recording, nil for none.
func recordingOf(p *browser.Page) *recording {
	a := recordings.Of(p.Session)
	a.mu.Lock()
	r := a.of[p.Context]
	a.mu.Unlock()
	if r == nil || !r.isOn() {
		return nil
	}
	return r
}

func (r *recording) isOn() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.emit != nil
}

func (r *recording) run() {
	for fn := range r.events {
		fn()
	}
}

// do has fn handled after the events before it.
func (r *recording) do(fn func()) { r.events <- fn }

func (r *recording) start(ctx context.Context, p *browser.Page, emit func(tool.Line)) error {
	ch, err := channelOf(r.context)
	if err != nil {
		return err
	}
	r.mu.Lock()
	first := r.timer == nil
	r.emit = emit
	if first {
		r.timer = time.AfterFunc(time.Hour, func() { r.do(r.flush) })
		r.timer.Stop()
	}
	r.mu.Unlock()
	if first {
		ch.On("recorderEvent", func(event map[string]any) {
			if data, err := json.Marshal(event["data"]); err == nil && r.isOn() {
				what, _ := event["event"].(string)
				r.do(func() { r.take(what, data) })
			}
		})
		r.context.OnClose(func(playwright.BrowserContext) { r.do(r.flush) })
	}
	for _, p := range r.session.OpenPages() {
		r.follow(p)
	}
	return browser.AwaitDo(ctx, p.Engine, nil, func() error {
		_, err := ch.Send("enableRecorder", map[string]any{"language": "jsonl", "mode": "recording", "recorderMode": "api"})
		return err
	})
}

func (r *recording) stop() {
	if ch, err := channelOf(r.context); err == nil && r.session.Current() != nil && r.session.Current().Alive() {
		quick, cancel := context.WithTimeout(context.Background(), stopTime)
		defer cancel()
		_ = browser.AwaitDo(quick, r.session.Current(), nil, func() error {
			_, err := ch.Send("disableRecorder")
			return err
		})
	}
	flushed := make(chan struct{})
	r.do(func() { r.asking = false; r.flush(); close(flushed) })
	<-flushed
	r.mu.Lock()
	r.emit = nil
	r.mu.Unlock()
}

const stopTime = 2 * time.Second

// Hooks follow the pages that open while a person is recorded, and leave dialogs to that
// person.
var Hooks = browser.Hooks{
	Page: func(p *browser.Page) {
		if r := recordingOf(p); r != nil {
			r.follow(p)
		}
	},
	Dialog: func(_ *browser.Session, p *browser.Page, d playwright.Dialog) bool {
		if p == nil || act.Planned(p) {
			return false
		}
		r := recordingOf(p)
		if r == nil {
			return false
		}
		r.leave(p, d)
		return true
	},
}
