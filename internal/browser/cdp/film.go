package cdp

import (
	"strings"
	"sync"
	"time"
)

// Film films a page that is behind another in its window, so that it is drawn. A whole
// Chromium throttles background tabs to one frame per 2 s, and takes no pictures of
// them: callers that wait for a frame are late or fail. While a page is filmed it gets
// all frames.
type Film struct {
	rolling sync.Mutex // held while it begins, or ends
	late    int        // number of waiting callers
	end     func()
}

// While is for calls that may need the page to be drawn. If the call is late, begin
// starts the film. The film ends when done has been called for all.
func (f *Film) While(begin func() (end func())) (done func()) {
	if noFilms {
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
