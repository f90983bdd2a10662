// Package recorder writes what a person does on the pages of a session as requests, with
// Playwright's own recorder.
package recorder

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/act"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/internal/machine/tricks"
	"pwpipe/provider"
)

// step is a request that does what a person did.
type step struct {
	Method  string
	Params  map[string]any
	Page    string // its handle, "" for the active page
	Note    string // what a replay needs
	Element map[string]tool.About
	hidden  string // what stands for a secret, "" for none
}

// channel is a Playwright object's connection to the driver. playwright-go has no call for
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

// guid returns the driver's name of a page or a dialog.
func guid(pw any) string {
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

// recordings keeps the recording of each session.
var recordings browser.State[*browser.Session, atomic.Pointer[recording]]

// recording records what a person does in one context.
type recording struct {
	session *browser.Session
	context playwright.BrowserContext
	channel channel
	dialogs bool        // the person sees them, and answers them
	events  chan func() // handled one by one, away from the driver's callbacks
	over    chan struct{}

	mu    sync.Mutex
	emit  func(tool.Line)          // nil while nobody records
	pages map[string]*browser.Page // by the driver's names

	// Of the goroutine that handles the events:
	pending *step // may yet change: a click into a double click or a download
	kind    string
	last    map[*browser.Page]done // what was done last on a page
	timer   *time.Timer
	asking  int // open dialogs: the actions that opened them wait for the answers
}

// done is an action of a person.
type done struct {
	name string
	url  string // of a navigation
	at   time.Time
}

// Start records what a person does in the first context of a session until stop, which
// returns once all of it has been emitted, in order. With dialogs the person sees those
// of the pages, and answers them.
func Start(ctx context.Context, s *browser.Session, dialogs bool, emit func(tool.Line)) (stop func(), err error) {
	if tricks.Off(tricks.DriverParts) {
		return nil, fmt.Errorf("recording needs parts of the driver that PWPIPE_NO_%s leaves out", tricks.DriverParts)
	}
	p, err := s.Page(ctx, "")
	if err != nil {
		return nil, err
	}
	ch, err := channelOf(p.Context)
	if err != nil {
		return nil, err
	}
	r := &recording{session: s, context: p.Context, channel: ch, dialogs: dialogs, emit: emit,
		events: make(chan func(), 1024), over: make(chan struct{}),
		last: map[*browser.Page]done{}, pages: map[string]*browser.Page{}}
	r.timer = time.AfterFunc(time.Hour, func() { r.do(r.flush) })
	if !recordings.Of(s).CompareAndSwap(nil, r) {
		return nil, provider.Errorf(provider.KindFailed, "the session is recorded already")
	}
	go r.run()
	if err := r.start(ctx, p); err != nil {
		r.stop()
		return nil, err
	}
	return r.stop, nil
}

// recordingOf returns a page's running recording, nil for none.
func recordingOf(p *browser.Page) *recording {
	r := recordings.Of(p.Session).Load()
	if r == nil || r.context != p.Context || !r.isOn() {
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
	for {
		select {
		case fn := <-r.events:
			fn()
		case <-r.over:
			return
		}
	}
}

// do runs fn after the events before it, while the recording lasts.
func (r *recording) do(fn func()) {
	select {
	case r.events <- fn:
	case <-r.over:
	}
}

func (r *recording) start(ctx context.Context, p *browser.Page) error {
	if _, again := listening.Of(r.session).LoadOrStore(r.context, true); !again {
		listen(r.session, r.context, r.channel)
	}
	for _, p := range r.session.OpenPages() {
		r.follow(p)
	}
	return browser.AwaitDo(ctx, p.Engine, nil, func() error {
		how := map[string]any{"language": "jsonl", "mode": "recording", "recorderMode": "api"}
		_, err := r.channel.Send("enableRecorder", how)
		return err
	})
}

// listening keeps the contexts whose recorder has a listener, which can't be removed.
var listening browser.State[*browser.Session, sync.Map]

// listen passes the events of a context's recorder to the recording that runs at that time.
func listen(s *browser.Session, c playwright.BrowserContext, from channel) {
	from.On("recorderEvent", func(event map[string]any) {
		r := recordings.Of(s).Load()
		if r == nil || r.context != c {
			return
		}
		what, _ := event["event"].(string)
		if e := r.heard(event["data"]); e != nil && r.isOn() {
			r.do(func() { r.take(what, e) })
		}
	})
}

func (r *recording) stop() {
	if e := r.session.Current(); e != nil && e.Alive() {
		quick, cancel := context.WithTimeout(context.Background(), stopTime)
		defer cancel()
		for _, p := range r.session.OpenPages() { // what a page has sent comes before its answer
			_ = browser.AwaitDo(quick, e, p, func() error { _, err := p.PW.Title(); return err })
		}
		_ = browser.AwaitDo(quick, e, nil, func() error { _, err := r.channel.Send("disableRecorder"); return err })
	}
	flushed := make(chan struct{})
	r.do(func() { r.asking = 0; r.flush(); close(flushed) })
	<-flushed
	r.timer.Stop()
	close(r.over)
	r.mu.Lock()
	r.emit = nil
	r.mu.Unlock()
	recordings.Of(r.session).Store(nil)
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
		if r == nil || !r.dialogs {
			return false
		}
		r.leave(p, d)
		return true
	},
}
