package watch

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// TestForgottenHolds: a person who took a session over loses it to waiting calls
// after being idle, or after a very long time.
func TestForgottenHolds(t *testing.T) {
	for name, c := range map[string]struct {
		does func(v *view, me *viewer) // for as long as it is allowed
		left time.Duration             // remaining time after that
	}{
		"nothing is done": {func(*view, *viewer) {}, idleHold},
		"it takes long": {func(v *view, me *viewer) {
			for range int(longestHold/time.Minute) - 1 {
				time.Sleep(time.Minute)
				if !v.holds(me) {
					t.Error("it was taken from somebody who uses it")
				}
			}
		}, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := views.Of(browser.New(browser.Config{}).NewSession(browser.SessionOptions{}))
				me := &viewer{}
				if err := v.take(me); err != nil {
					t.Fatal(err)
				}
				other, waits, came := &viewer{}, &call{}, make(chan error, 1)
				if v.take(other) == nil || v.holds(other) || v.handBack(other, "") {
					t.Error("another person has it too")
				}
				go func() { came <- v.comeIn(context.Background(), waits, 0) }()
				err := v.comeIn(context.Background(), &call{}, time.Second/2)
				if provider.AsError(err).Kind != provider.KindTimeout {
					t.Errorf("a call that waits half a second: %v", err)
				}
				if n := v.stand().Waiting; n != 1 {
					t.Errorf("%d calls wait", n)
				}
				c.does(v, me)
				time.Sleep(c.left - time.Second)
				select {
				case err := <-came:
					t.Errorf("a call came in before its time: %v", err)
				default:
				}
				time.Sleep(3 * time.Second)
				select {
				case err := <-came:
					if err != nil {
						t.Error(err)
					}
				default:
					t.Error("a call still waits")
				}
				if now := v.stand(); now.Waiting != 0 || len(now.Running) != 1 || now.Taken != "" {
					t.Errorf("afterwards: %+v", now)
				}
				// It is taken over once the call has ended.
				if err := v.take(other); err != nil || v.stand().Taken != "soon" || v.holds(other) {
					t.Errorf("taken while a call runs: %v, %+v", err, v.stand())
				}
				if v.leave(waits); v.stand().Taken != "yes" || !v.holds(other) || !v.handBack(other, "") {
					t.Errorf("after the call: %+v", v.stand())
				}
			})
		})
	}
}
