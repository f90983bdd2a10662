package watch

import (
	"context"
	"encoding/json"
	"time"

	"pwpipe/internal/browser/cdp"
)

// Times of frames. While the browser films it captures everything it draws, and a click
// that waits for this is late. So it does not film while calls follow each other,
// except a picture at intervals.
const (
	frameEvery = 100 * time.Millisecond // between two frames, at least
	quietTime  = 250 * time.Millisecond // without a call that begins or ends: then the film goes on
	busyEvery  = 3 * time.Second
	onceTime   = 500 * time.Millisecond // for the browser to make such a picture
	firstFrame = 300 * time.Millisecond // then a picture is taken: an unchanged page may send none
)

// roll is one run of a film.
type roll struct {
	film   *screencast
	with   *cdp.Session
	frames <-chan json.RawMessage
	taken  <-chan struct{}
	calls  *view // of the session

	on               bool
	once             bool // for one picture, while calls follow each other
	pictured, begun  time.Time
	next             *time.Timer // when it must be on
	pause            *time.Timer // since the last frame
	owed             int         // the frame to acknowledge
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

// rest stops filming until the calls are over, or a picture is due.
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

// wait is how long it must stay off.
func (r *roll) wait() time.Duration {
	return min(quietTime-r.calls.quiet(), busyEvery-time.Since(r.pictured))
}

// turn records whether the film is on: then calls notify it.
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
	Data     []byte                                      `json:"data"`
	Metadata struct{ DeviceWidth, DeviceHeight float64 } `json:"metadata"`
	Session  int                                         `json:"sessionId"`
}

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

// acknowledge requests the next frame when somebody has taken the last one, but not too
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
