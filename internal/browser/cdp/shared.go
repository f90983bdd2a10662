package cdp

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"pwpipe/internal/machine/tricks"
)

// sharedTime bounds the browser's answer to a shared call.
const sharedTime = 60 * time.Second

// turns are the calls of a method, one at a time. The connection's lock guards them.
type turns struct {
	next    *turn // not sent yet, nil for none
	running bool
}

// turn is one call for all callers that asked before it was sent.
type turn struct {
	done  chan struct{}
	value any
	err   error
}

// Shared makes a call that many callers may make at once and that has a long answer. On
// a connection one call of the method runs at a time, and answers all callers that
// asked before it was sent. They share the result of read, which must always be the
// same function.
func Shared[T any](ctx context.Context, s *Session, method string, params any,
	read func(json.RawMessage) (T, error)) (T, error) {
	c := s.conn
	c.mu.Lock()
	if c.shared == nil {
		c.shared = map[string]*turns{}
	}
	list := c.shared[method]
	if list == nil {
		list = &turns{}
		c.shared[method] = list
	}
	if list.next == nil {
		list.next = &turn{done: make(chan struct{})}
	}
	own := list.next
	if !list.running {
		list.running = true
		go list.run(s, method, params, func(raw json.RawMessage) (any, error) { return read(raw) })
	}
	c.mu.Unlock()
	select {
	case <-own.done:
		value, _ := own.value.(T)
		return value, own.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// run makes calls until nobody waits for another.
func (l *turns) run(s *Session, method string, params any, read func(json.RawMessage) (any, error)) {
	for {
		s.conn.mu.Lock()
		own := l.next
		if l.next = nil; own == nil {
			l.running = false
			s.conn.mu.Unlock()
			return
		}
		s.conn.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), sharedTime)
		var raw json.RawMessage
		if own.err = s.Call(ctx, method, params, &raw); own.err == nil {
			own.value, own.err = read(raw)
		}
		cancel()
		close(own.done)
	}
}

// Film films a page that is behind another in its window, so that it is drawn. A whole
// Chromium throttles background tabs to one frame per 2 s, and takes no pictures of
// them: callers that wait for a frame are late or fail. While a page is filmed it gets
// all frames.
type Film struct {
	rolling sync.Mutex // held while it begins, or ends
	late    int        // number of waiting callers
	end     func()
}

// lateTime is the longest time for a call that needs a frame, if frames come.
const lateTime = 200 * time.Millisecond

// While is for calls that may need the page to be drawn. If the call is late, begin
// starts the film. The film ends when done has been called for all.
func (f *Film) While(begin func() (end func())) (done func()) {
	if tricks.Off(tricks.Films) {
		return func() {}
	}
	over := make(chan struct{})
	late := time.AfterFunc(lateTime, func() {
		f.count(1, begin)
		<-over
		f.count(-1, nil)
	})
	return func() {
		late.Stop()
		close(over)
	}
}

func (f *Film) count(by int, begin func() (end func())) {
	f.rolling.Lock()
	defer f.rolling.Unlock()
	was := f.late
	f.late += by
	switch {
	case was == 0:
		f.end = begin()
	case f.late == 0:
		f.end()
	}
}

// Filming are the params of Page.startScreencast for a film that nobody watches.
func Filming() map[string]any {
	return map[string]any{"format": "jpeg", "quality": 1, "maxWidth": 1, "maxHeight": 1, "everyNthFrame": 1000}
}

// IsShell reports whether a product, from Browser.getVersion, is Chromium's headless
// shell, in which no page is behind another.
func IsShell(product string) bool { return strings.HasPrefix(product, "HeadlessChrome/") }
