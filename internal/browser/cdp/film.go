package cdp

import (
	"strings"
	"sync"
	"time"

	"pwpipe/internal/machine/tricks"
)

// Film is of a page that is behind another in its window, so that it is drawn. A
// whole Chromium gives such a tab a frame in two seconds, and none for a picture:
// what waits for one comes late, or never. Of a page that is filmed it makes them
// all.
type Film struct {
	rolling sync.Mutex // held while it begins, or ends
	late    int        // what waits
	end     func()
}

// lateTime is how long what needs a frame takes at most where there are frames.
const lateTime = 200 * time.Millisecond

// While is for what may need the page to be drawn: if it is late, begin begins the
// film, which ends when done has been called for all.
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

// Filming are the params of Page.startScreencast for a film that nobody looks at.
func Filming() map[string]any {
	return map[string]any{"format": "jpeg", "quality": 1, "maxWidth": 1, "maxHeight": 1, "everyNthFrame": 1000}
}

// IsShell says whether a product, as Browser.getVersion has it, is Chromium's
// headless shell, in which no page is behind another.
func IsShell(product string) bool { return strings.HasPrefix(product, "HeadlessChrome/") }
