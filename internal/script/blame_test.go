package script

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

const mib = 1 << 20

// TestTheNextIsNotBlamed: what stopped a script is no reason to stop the next one,
// though the memory is not free yet.
func TestTheNextIsNotBlamed(t *testing.T) {
	r := bareEngine(t)
	for range 8 {
		ended := make(chan error, 1)
		go func() {
			_, err := r.runs(t, "for (;;) ;")
			ended <- err
		}()
		waitFor(r.chargedAlone)
		time.Sleep(2 * watchEvery) // it is in its loop
		taken := make([]byte, maxMemory+100*mib)
		if err := <-ended; !errors.Is(err, errMemory) {
			t.Fatal(err)
		}
		if v, err := r.runs(t, "1"); v != "1" {
			t.Errorf("the next: %s, %v", v, err)
		}
		runtime.KeepAlive(taken)
		taken = nil
		runtime.GC()
	}
}

// chargedAlone reports whether a call is under way that is charged with what the
// process takes from now on.
func (r *Runtime) chargedAlone() bool {
	r.stopping.Lock()
	defer r.stopping.Unlock()
	return r.running.Load() != nil && r.over.IsZero() && !r.charge.shared
}

func waitFor(is func() bool) {
	for i := 0; i < 10_000 && !is(); i++ {
		time.Sleep(time.Millisecond)
	}
}

// TestWhatAnotherTakes: an engine that was given up, and is still in a step,
// takes memory at nobody's expense but that of all together.
func TestWhatAnotherTakes(t *testing.T) {
	for _, c := range []struct {
		size int
		want error
	}{{maxMemory + 100*mib, nil}, {maxTogether + 100*mib, errTogether}} {
		other, r := bareEngine(t), bareEngine(t)
		begun, over := make(chan struct{}), make(chan struct{})
		other.loop.post(func() {
			close(begun)
			waitFor(func() bool { return r.running.Load() != nil && working.Load() > 1 })
			time.Sleep(2 * watchEvery)
			taken := make([]byte, c.size)
			<-over
			runtime.KeepAlive(taken)
		})
		<-begun
		other.Close()
		_, err := r.runs(t, "const end = Date.now() + 200; while (Date.now() < end) ;")
		close(over)
		<-other.Ended()
		if !errors.Is(err, c.want) {
			t.Errorf("%d MiB: %v, want %v", c.size/mib, err, c.want)
		}
		runtime.GC()
	}
}

func TestCharge(t *testing.T) {
	type at struct {
		now, others int64
		shared      bool
		want        uint64
	}
	for what, list := range map[string][]at{
		"alone":                          {{100, 0, false, 0}, {300, 0, false, 200}, {400, 0, false, 300}},
		"what was there is collected":    {{40, 0, false, 0}, {300, 0, false, 260}},
		"beside another":                 {{150, 0, false, 50}, {900, 0, true, 50}, {950, 0, false, 50}, {960, 0, false, 60}},
		"another came and went":          {{150, 0, false, 50}, {900, 1, false, 50}, {910, 1, false, 60}},
		"what another took is collected": {{900, 0, true, 0}, {120, 0, true, 0}, {100, 0, false, 0}, {200, 0, false, 100}},
	} {
		c := charge{base: 100, last: 100}
		for i, a := range list {
			if got := c.add(uint64(a.now), a.others, a.shared); got != a.want {
				t.Errorf("%s: %d is charged at %d, want %d", what, got, i, a.want)
			}
		}
	}
}

// TestAllOfAScriptEnds: what a script began beside itself ends with it, and the
// engine keeps its state.
func TestAllOfAScriptEnds(t *testing.T) {
	r := bareEngine(t)
	for what, code := range map[string]string{
		"promises": "const spin = async () => { for (;;) await 0 }; spin(); spin(); await spin()",
		"timers":   "setInterval(() => { for (;;) ; }, 1); setInterval(() => { for (;;) ; }, 1); for (;;) ;",
		"an error": "const e = new Error(); Object.defineProperty(e, 'message', { get() { for (;;) ; } }); Promise.reject(e); 1",
	} {
		if _, err := r.runs(t, "state.kept = 1"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		_, _ = r.Run(ctx, &pageImpl{}, code)
		cancel()
		if v, err := r.runs(t, "state.kept"); v != "1" {
			t.Errorf("%s: afterwards %s, %v", what, v, err)
		}
	}
}
