package watch

import (
	"context"
	"encoding/json"
	"time"

	"pwpipe/internal/browser/cdp"
)

// When frames are taken. The browser captures whatever it draws for as long as it
// films, and a click that has to wait for that is late: so it does not film while
// calls follow each other, but for a picture now and then.
const (
	frameEvery = 100 * time.Millisecond // between two frames, at least
	quietTime  = 250 * time.Millisecond // without a call that begins or ends: then the film goes on
	busyEvery  = 3 * time.Second
	onceTime   = 500 * time.Millisecond // that the browser has for such a picture
	firstFrame = 300 * time.Millisecond // then a picture is taken: a page that stands still may send none
)

// roll is one run of a film.
type roll struct {
	film   *film
	with   *cdp.Session
	frames <-chan json.RawMessage
	taken  <-chan struct{}
	calls  *view // of the session

	on               bool
	once             bool // for one picture, while calls follow each other
	pictured, begun  time.Time
	next             *time.Timer // when it is to be on
	pause            *time.Timer // since the last frame
	owed             int         // the frame that is to be acknowledged
	owes, seen, over bool        // there is one; somebody has taken it; its pause is over
}

// run films until ctx ends.
func (r *roll) run(ctx context.Context) {
	defer r.with.Drop()
	rings, off := r.calls.rests.listen()
	defer off()
	defer r.turn(false)
	r.next, r.pause = time.NewTimer(0), time.NewTimer(time.Hour)
	first := time.NewTimer(firstFrame)
	for _, t := range []*time.Timer{r.next, r.pause, first} {
		defer t.Stop()
	}
	for {
		taken := r.taken
		if !r.owes || r.seen {
			taken = nil
		}
		select {
		case <-rings:
			if r.on && (!r.once || time.Since(r.begun) > onceTime) {
				r.rest()
			}
		case <-r.next.C:
			if wait := r.wait(); wait > 0 {
				r.next.Reset(wait)
			} else if !r.on {
				r.turn(true)
				r.owes, r.begun = false, time.Now()
				r.once = r.calls.quiet() < quietTime
				r.with.Send("Page.startScreencast", map[string]any{"format": "jpeg", "quality": frameQuality, "maxWidth": frameSize, "maxHeight": frameSize}, nil)
			}
		case params := <-r.frames:
			first.Stop()
			r.frame(params)
		case <-taken:
			r.seen = true
			r.acknowledge()
		case <-r.pause.C:
			r.over = true
			r.acknowledge()
		case <-first.C:
			r.shoot(ctx)
		case <-ctx.Done():
			return
		case <-r.with.Gone():
			return
		}
	}
}

// rest stops filming until the calls are over, or it is time for a picture.
func (r *roll) rest() {
	if r.once { // it has come, or comes too late
		r.once, r.pictured = false, time.Now()
	}
	if r.on {
		r.turn(false)
		r.owes = false
		r.with.Send("Page.stopScreencast", nil, nil)
	}
	r.next.Reset(max(0, r.wait()))
}

// wait is for how long it is not to be on.
func (r *roll) wait() time.Duration {
	return min(quietTime-r.calls.quiet(), busyEvery-time.Since(r.pictured))
}

// turn notes whether it is on: then it is told of calls.
func (r *roll) turn(on bool) {
	switch {
	case on && !r.on:
		r.calls.filming.Add(1)
	case !on && r.on:
		r.calls.filming.Add(-1)
	}
	r.on = on
}

// screencastFrame is DevTools' event.
type screencastFrame struct {
	Data     []byte
	Metadata struct{ DeviceWidth, DeviceHeight float64 }
	Session  int `json:"sessionId"`
}

// frame hands on a frame.
func (r *roll) frame(params json.RawMessage) {
	var e screencastFrame
	if json.Unmarshal(params, &e) != nil {
		return
	}
	r.pictured = time.Now()
	r.film.put(r.with, &frame{e.Data, e.Metadata.DeviceWidth, e.Metadata.DeviceHeight})
	if r.calls.quiet() < quietTime {
		r.rest()
		return
	}
	r.owed, r.owes, r.seen, r.over = e.Session, true, false, false
	r.pause.Reset(frameEvery)
}

// acknowledge asks for the next frame, once somebody has taken the last, but not too
// soon.
func (r *roll) acknowledge() {
	if r.owes && r.seen && r.over {
		r.owes = false
		r.with.Send("Page.screencastFrameAck", map[string]any{"sessionId": r.owed}, nil)
	}
}

// shoot takes a picture of a page that sent none.
func (r *roll) shoot(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, filmTime)
	defer cancel()
	var size struct {
		CSSLayoutViewport struct{ ClientWidth, ClientHeight float64 }
	}
	var picture struct{ Data []byte }
	if r.with.Call(ctx, "Page.getLayoutMetrics", nil, &size) == nil &&
		r.with.Call(ctx, "Page.captureScreenshot", map[string]any{"format": "jpeg", "quality": frameQuality, "optimizeForSpeed": true}, &picture) == nil {
		r.film.put(r.with, &frame{picture.Data, size.CSSLayoutViewport.ClientWidth, size.CSSLayoutViewport.ClientHeight})
	}
}
