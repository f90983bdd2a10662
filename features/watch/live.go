package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

// Bounds of the live picture.
const (
	frameSize    = 1280            // pixels of the longer side, at most
	frameQuality = 60              // of the JPEG
	drawTime     = 5 * time.Second // how long a viewer may take to draw one
	filmTime     = 2 * time.Second // for the browser to begin
)

// films are the films of watched pages: one for each page, for all viewers.
var films browser.State[*browser.Page, screencast]

// screencast is DevTools' screencast of a page, on a session of its own.
type screencast struct {
	rolling sync.Mutex // held while it begins, or ends

	mu    sync.Mutex
	with  *cdp.Session // nil without viewers
	seats map[*seat]struct{}
	last  *frame
	stop  context.CancelFunc
	taken signal // somebody has taken the last frame
}

type frame struct {
	jpeg          []byte
	width, height float64 // of the page's viewport
}

// seat is a viewer's place at a film. A slow viewer misses frames, and delays nobody.
type seat struct {
	of    *screencast
	ready signal
}

// sit starts watching a page. The first viewer starts the film.
func (f *screencast) sit(ctx context.Context, p *browser.Page) (*seat, error) {
	f.rolling.Lock()
	defer f.rolling.Unlock()
	own := &seat{f, newSignal()}
	f.mu.Lock()
	rolls := f.with != nil && !f.with.Ended()
	f.mu.Unlock()
	if !rolls {
		if err := f.begin(ctx, p); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seats[own] = struct{}{}
	if f.last != nil {
		own.ready.give()
	}
	return own, nil
}

// begin opens the session and makes the browser send frames.
func (f *screencast) begin(ctx context.Context, p *browser.Page) error {
	ctx, cancel := context.WithTimeout(ctx, filmTime)
	defer cancel()
	line, _, err := p.Offered(ctx, "there is no live picture")
	if err != nil {
		return err
	}
	with, err := line.Attach(ctx, p.Target())
	if err != nil {
		return err
	}
	run, stop := context.WithCancel(context.Background())
	f.mu.Lock()
	if f.seats == nil {
		f.seats = map[*seat]struct{}{}
	}
	f.with, f.last, f.stop, f.taken = with, nil, stop, newSignal()
	taken := f.taken
	f.mu.Unlock()
	frames := make(chan json.RawMessage, 2) // the browser sends no other frame before one is acknowledged
	with.On("Page.screencastFrame", func(params json.RawMessage) {
		select {
		case frames <- params:
		default:
		}
	})
	go (&roll{film: f, with: with, frames: frames, taken: taken, calls: views.Of(p.Session)}).run(run)
	return nil
}

// put gives a frame to the viewers, unless its film has ended.
func (f *screencast) put(with *cdp.Session, fr *frame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.with != with {
		return
	}
	if f.last != nil && bytes.Equal(f.last.jpeg, fr.jpeg) { // it went on where it had stopped
		f.taken.give()
		return
	}
	f.last = fr
	f.taken.drop() // of the frame before
	for s := range f.seats {
		s.ready.give()
	}
}

// take is the newest frame.
func (s *seat) take() *frame {
	f := s.of
	f.mu.Lock()
	defer f.mu.Unlock()
	f.taken.give()
	return f.last
}

func (s *seat) session() *cdp.Session {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	return s.of.with
}

// leave ends a viewer's watching. When the last viewer leaves, the film ends.
func (s *seat) leave() {
	f := s.of
	f.rolling.Lock()
	defer f.rolling.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.seats, s)
	if len(f.seats) == 0 && f.with != nil {
		f.stop()
		f.with, f.last = nil, nil
	}
}
