package watch

import (
	"context"
	"time"

	"pwpipe/handlers/record"
	"pwpipe/handlers/recorder"
	"pwpipe/handlers/tool"
)

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
