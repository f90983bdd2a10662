package watch

import (
	"context"
	"time"

	"pwpipe/features/record/recorder"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/record"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

type callKey struct{}

// Gate makes a call wait while a person has its session, as behind a running call. The call's
// deadline begins after the wait, unless the client set one. The caller calls leave when the call
// ends. The steps of a call that has passed do not wait.
func Gate(ctx context.Context) (_ context.Context, leave func(), _ error) {
	s, ok := browser.SessionFrom(ctx)
	if !ok || ctx.Value(hubKey{}) == nil || ctx.Value(callKey{}) != nil { // nobody can take over what nobody can watch
		return ctx, func() {}, nil
	}
	v, r := views.Of(s), provider.RequestFrom(ctx)
	c := &call{Tool: r.Tool, Page: s.Browser.Short(r.Page, 20), Since: time.Now(), aim: provider.AimFrom(ctx)}
	if err := v.comeIn(ctx, c, r.Timeout); err != nil {
		return ctx, nil, err
	}
	return context.WithValue(ctx, callKey{}, c), func() { v.leave(c) }, nil
}

// comeIn waits until no person has the session, and counts the call as one that runs; it
// may have left before. timeout is the client's own, 0 for none.
func (v *view) comeIn(ctx context.Context, c *call, timeout time.Duration) error {
	if timeout > 0 {
		own, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		ctx = own
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for v.hold.by != nil {
		back := v.hold.back
		v.waiting++
		v.bell.ring()
		v.mu.Unlock()
		select {
		case <-back:
		case <-ctx.Done():
		}
		v.mu.Lock()
		v.waiting--
		if err := ctx.Err(); err != nil {
			v.bell.ring()
			if err == context.DeadlineExceeded {
				return provider.Errorf(provider.KindTimeout, "a person controls the session and did not hand it back in time").
					WithHint("the event `person` reports when it is handed back; a call without a timeout waits for that")
			}
			return err
		}
	}
	v.running[c] = struct{}{}
	v.stir()
	return nil
}

// leave counts a call as one that no longer runs, and gives the session to a person
// who waits for it.
func (v *view) leave(c *call) {
	v.mu.Lock()
	delete(v.running, c)
	v.maybeBegin()
	v.mu.Unlock()
	v.stir()
}

// maybeBegin gives the session to the person who wants it, once no call runs. The lock is held.
func (v *view) maybeBegin() {
	switch {
	case v.hold.by == nil || v.hold.turning || v.hold.begun || len(v.running) > 0:
	case record.Logged(v.session) && len(v.session.OpenPages()) > 0:
		v.hold.turning = true
		go v.beginLogged()
	default:
		v.hold.begun, v.hold.touched = true, time.Now()
		note(v.session, "took-over", "")
	}
}

// beginLogged starts to log what the person does, and then gives them the session. If that can't
// be logged, they get the session all the same, and the event says why.
func (v *view) beginLogged() {
	v.turn.Lock()
	defer v.turn.Unlock()
	v.mu.Lock()
	if v.hold.by == nil || len(v.running) > 0 { // handed back meanwhile, and calls came in
		v.hold.turning = false
		v.mu.Unlock()
		return
	}
	v.mu.Unlock()
	stop, why := v.logPerson()
	v.mu.Lock()
	v.hold.turning, v.hold.begun, v.hold.touched, v.hold.logs = false, true, time.Now(), stop
	v.mu.Unlock()
	note(v.session, "took-over", why)
	v.bell.ring()
}

// logTime bounds how long a person waits for the log.
const logTime = 5 * time.Second

// logPerson writes what the person does into the session's log until stop is called, or pwpipe
// ends. If it can't, stop is nil and why says the reason.
func (v *view) logPerson() (stop func(), why string) {
	ctx, cancel := context.WithTimeout(context.Background(), logTime)
	defer cancel()
	s := v.session
	end, err := recorder.Start(ctx, s, false, func(line tool.Line) { record.LogLine(s, line) })
	if err != nil {
		return nil, "what the person does is not in the log: " + s.Browser.Short(err.Error(), keptError)
	}
	stay := s.Browser.OnClose(func(context.Context) { v.handBack(nil, "the browser was closed") })
	return func() {
		stay()
		end()
	}, ""
}

// note sends subscribers the event of what a person does with a session.
func note(s *browser.Session, what, text string) {
	events.Note(s, events.Event{Kind: events.EventPerson, Type: what, Text: text})
}

// take gives the session to a person, once the calls that run have ended.
func (v *view) take(by *viewer) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.hold.by == by:
		return nil
	case v.hold.by != nil:
		return provider.Errorf(provider.KindFailed, "another person controls the session")
	case v.session.Ended():
		return provider.Errorf(provider.KindNoTarget, "the session is gone")
	}
	v.hold.by, v.hold.begun, v.hold.back, v.hold.touched = by, false, make(chan struct{}), time.Now()
	v.hold.release = v.session.Hold()
	v.maybeBegin()
	go v.bound(by, v.hold.back)
	v.bell.ring()
	return nil
}

// These times bound how long a person may have a session: in all, and without doing anything.
const (
	longestHold = 15 * time.Minute
	idleHold    = 3 * time.Minute
)

// bound ends a hold that was forgotten.
func (v *view) bound(by *viewer, back <-chan struct{}) {
	end := time.NewTimer(longestHold)
	defer end.Stop()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-back:
			return
		case <-end.C:
			v.handBack(by, "after "+longestHold.String())
			return
		case <-tick.C:
			v.mu.Lock()
			idle := v.hold.begun && time.Since(v.hold.touched) > idleHold
			v.mu.Unlock()
			if idle {
				v.handBack(by, "nothing was done for "+idleHold.String())
				return
			}
		}
	}
}

// handBack gives the session back to its calls, once all that the person did is in its
// log. It does so only if by has it; nil stands for anybody.
func (v *view) handBack(by *viewer, why string) bool {
	v.turn.Lock()
	defer v.turn.Unlock()
	v.mu.Lock()
	if v.hold.by == nil || by != nil && v.hold.by != by {
		v.mu.Unlock()
		return false
	}
	begun, stop := v.hold.begun, v.hold.logs
	v.hold.begun, v.hold.logs = false, nil
	if stop != nil {
		v.hold.turning = true
		v.mu.Unlock()
		stop()
		v.mu.Lock()
		v.hold.turning = false
	}
	v.hold.by = nil
	v.hold.release()
	close(v.hold.back)
	v.mu.Unlock()
	if begun {
		note(v.session, "handed-back", why)
	}
	v.bell.ring()
	return true
}

// holds reports whether somebody has the session now, and notes that they do
// something.
func (v *view) holds(by *viewer) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.hold.by != by || !v.hold.begun {
		return false
	}
	v.hold.touched = time.Now()
	return true
}
