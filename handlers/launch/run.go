package launch

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"
	"github.com/prometheus/procfs"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/chromium"
	"pwpipe/internal/browser/driver"
	"pwpipe/internal/machine/setup"
	"pwpipe/provider"
)

// Run is one run of driver and browser.
type Run struct {
	Driver  *driver.Driver
	Browser playwright.Browser
	First   playwright.BrowserContext // of a persistent profile, else nil
	Kind    playwright.BrowserType

	Conn     *cdp.Conn    // our own line to the browser, nil where there is none
	DevTools *cdp.Session // ours with the browser, on that line; nil likewise

	DriverDir string // where the driver is installed
	Node      string // the program that runs it
	Chromium  bool   // it has DevTools
	Locale    string // of contexts that ask for none, "" for the browser's own
	pinned    bool   // it is the build that pwpipe fetches
	seat      *seat  // on the driver

	started
	attachment
	ending
}

// started is a browser that pwpipe started itself, zero for another.
type started struct {
	launcher *own
	process  *chromium.Process // nil where the driver started it
	exited   <-chan struct{}   // closed when that has ended, which the driver says later on a busy machine; else nil
}

// attachment is a browser that somebody else started, zero for another.
type attachment struct {
	attached string                      // where it is: "at …"
	fresh    bool                        // it was begun for us
	Found    []playwright.BrowserContext // that it had at first
	line     *line                       // ours to it
	reached  *Reached                    // nil where it has an address
}

// ending is how a run ended: once, by its loss or by a stop.
type ending struct {
	fates  sync.Map     // why, by target: pages that pwpipe closed by itself before
	asked  atomic.Int64 // when it was last asked whether it works, in nanoseconds
	log    *slog.Logger
	once   sync.Once
	Gone   chan struct{} // closed when driver or browser is gone
	Reason string        // set before Gone is closed
	LostAt time.Time     // likewise; zero for a stop
}

// Alive reports whether the engine can take calls. It notes a loss that nobody has noted, and
// then waits up to 200 ms for what the process says at its end.
func (r *Run) Alive() bool {
	select {
	case <-r.Gone:
		return false
	case <-r.exited:
		r.Lost(r.farewell())
		return false
	default:
	}
	if r.Driver.Ended() {
		r.Lost(driverDied)
		return false
	}
	select {
	case <-r.cut():
		r.Lost(r.farewell())
		return false
	default:
		return true
	}
}

// cut is closed when our own line to the browser has ended, which is before its
// process has; nil where there is none.
func (r *Run) cut() <-chan struct{} {
	switch {
	case r.Conn != nil:
		return r.Conn.Gone()
	case r.line != nil:
		return r.line.conn.Gone()
	}
	return nil
}

// Lost marks the engine as gone, once, with what happened to it.
func (r *Run) Lost(reason string) {
	r.once.Do(func() {
		r.Reason, r.LostAt = reason, time.Now()
		close(r.Gone)
		go func() {
			r.launcher.kill()
			r.reached.leave()
			r.line.close()
			waitExit(r.exited)
			r.seat.leave()
		}()
	})
}

// waitExit waits until a browser that was killed has ended: it could make its folder again. done is nil where the
// browser is no process of ours.
func waitExit(done <-chan struct{}) {
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-time.After(exitTime):
	}
}

// exitTime bounds that wait: a process that the kernel holds may not end.
const exitTime = 3 * time.Second

// Hung marks the engine as gone that does not answer, for whichever reason: browsers that
// share the driver stay if it answers itself.
func (r *Run) Hung() {
	shared := r.seat.shared()
	if shared {
		r.seat.bar(true)
	}
	r.Lost("the browser or its driver hung and was ended")
	waited := time.Since(time.Unix(0, r.asked.Load()))
	r.log.Warn(r.Reason, "asked_ago", waited.Round(time.Second), "shares_driver", shared)
	if shared {
		go r.seat.doubt()
	}
}

// Stop closes the browser and the driver, by force when ctx ends; save is called
// first.
func (r *Run) Stop(ctx context.Context, save func()) {
	r.once.Do(func() {
		r.Reason = "the browser was shut down"
		saved := make(chan struct{})
		go func() { save(); close(saved) }()
		select {
		case <-saved:
		case <-ctx.Done():
		}
		close(r.Gone)
		ended := make(chan struct{})
		go func() { r.reached.leave(); close(ended) }()
		select {
		case <-ended:
		case <-ctx.Done(): // of a hub that hangs the note in the driver's folder goes too: its own time-out ends the session
		}
		r.seat.stop(ctx, r)
		r.line.close()
		r.launcher.kill()
	})
}

// OnFlood has fn called with the target of each page that makes the browser send more than the
// driver can take.
func (r *Run) OnFlood(fn func(target string)) {
	switch {
	case r.Conn != nil:
		r.Conn.OnFlood(fn)
	case r.line != nil:
		r.line.conn.OnFlood(fn)
	}
}

// farewell says what a lost connection means.
func (r *Run) farewell() string {
	if r.attached != "" {
		return "the browser " + r.attached + " went away"
	}
	if r.process != nil { // its connection is lost a moment before it, or the driver, has ended
		select {
		case <-r.exited:
		case <-r.Driver.Gone():
		case <-time.After(endTime):
		}
	}
	if r.Driver.Dead() { // the browser goes with it
		return driverDied
	}
	if low := r.Limited(); low != nil {
		return fmt.Sprintf("the browser died or was closed (%v)", low)
	}
	return "the browser died or was closed"
}

// Limited says what of pwpipe's limits is too low for the browser, nil if nothing is, or if the
// browser was attached to.
func (r *Run) Limited() error {
	if r.attached != "" {
		return nil
	}
	return setup.CheckLimits(!r.pinned)
}

// endTime bounds the wait for which of two processes has ended.
const endTime = 200 * time.Millisecond

const driverDied = "the Playwright driver died"

// Version is the browser's, "" of a persistent profile.
func (r *Run) Version() string {
	if r.Browser == nil {
		return ""
	}
	return r.Browser.Version()
}

// LostError is the error of what ran when the browser was lost.
func (r *Run) LostError() error {
	hint := "the next request gets a fresh browser"
	if r.attached != "" && !r.fresh {
		hint = "the next request connects again"
	}
	return provider.Errorf(provider.KindUnavailable, "%s while the request ran", r.Reason).WithHint("%s", hint)
}

// logWriter turns what the driver says into log lines.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		w.log.Debug("driver", "says", strings.TrimSpace(line))
	}
	return len(p), nil
}

// TempTrouble is what is wrong with the temporary folder, where the browser's
// processes share their memory; nil if nothing is, or the browser is elsewhere.
func (r *Run) TempTrouble() error {
	if r.attached != "" {
		return nil
	}
	return setup.CheckTemp()
}

// BlameDisk adds to a failure that the temporary folder is full or gone. The
// browser says anything but that: net::ERR_INSUFFICIENT_RESOURCES, "Unable to
// capture screenshot", or nothing at all.
func (r *Run) BlameDisk(err error) error {
	own := provider.AsError(err)
	blamable := []provider.Kind{provider.KindFailed, provider.KindTimeout, provider.KindUnavailable}
	if own == nil || !slices.Contains(blamable, own.Kind) {
		return err
	}
	if trouble := r.TempTrouble(); trouble != nil {
		blamed := *own
		return blamed.WithHint("%s", trouble)
	}
	return err
}

// engineProbeTime is how long the driver and the browser have without that
// anything goes on: every page goes with them. behindTime is how long they have
// while they are behind with what pages and clients sent them, and come forward.
const (
	engineProbeTime = 3 * time.Second
	farProbeTime    = 8 * time.Second // of a browser that is not ours: how far that has come is not seen, and others are on its machine
	behindTime      = 30 * time.Second
)

// Answers reports whether driver and browser respond. Those that are busy are
// given time: a page or a client that sends much must not take everybody's browser
// away.
func (r *Run) Answers() bool {
	answered := make(chan bool, 1)
	r.asked.Store(time.Now().UnixNano())
	go func() { answered <- Within(behindTime, r.probe) }()
	last, patience := r.progress(), engineProbeTime
	if r.attached != "" {
		patience = farProbeTime
	}
	for {
		select {
		case ok := <-answered:
			return ok
		case <-time.After(patience):
		}
		now := r.progress()
		if !now.after(last) {
			return false
		}
		last = now
	}
}

// probe asks the browser a trivial question, by the driver.
func (r *Run) probe() error {
	if r.Browser == nil || !r.Chromium {
		return nil
	}
	s, err := r.Browser.NewBrowserCDPSession()
	if err != nil {
		return err
	}
	_, err = s.Send("Browser.getVersion", nil)
	_ = s.Detach()
	return err
}

// progress is how far things have come: what has passed between browser and
// driver; and, in seconds, what the driver has worked, and how long it and the
// browser have waited for a processor that others had.
type progress struct {
	passed         int64
	worked, waited float64
	waits          bool // one of them waits for a processor, or the disk, right now
}

func (r *Run) progress() (p progress) {
	if r.Conn != nil {
		p.passed = r.Conn.Passed()
	}
	if !r.seat.shared() || !r.seat.answers() { // else it works for others
		p.worked = p.add(r.Driver.PID())
	}
	if r.process != nil {
		p.add(r.process.PID())
	}
	return p
}

// add adds what a process has waited for, and answers what it has worked. Only Linux
// tells.
func (p *progress) add(pid int) (worked float64) {
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return 0
	}
	if stat, err := proc.Stat(); err == nil {
		worked = stat.CPUTime()
		p.waits = p.waits || stat.State == "R" || stat.State == "D"
	}
	if s, err := proc.Schedstat(); err == nil { // of its main thread
		p.waited += time.Duration(s.WaitingNanoseconds).Seconds()
	}
	return worked
}

// leastWork of a driver that comes forward, on a machine that is busy: it works, or
// it would if there was a processor for it. One that only waits for others does less.
const leastWork = 0.2

func (p progress) after(old progress) bool {
	return p.passed > old.passed || p.waits || p.worked+p.waited >= old.worked+old.waited+leastWork
}

// Within reports whether fn succeeds in time. It may go on in the background.
func Within(d time.Duration, fn func() error) bool {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("%v", r)
			}
		}()
		done <- fn()
	}()
	select {
	case err := <-done:
		return err == nil
	case <-time.After(d):
		return false
	}
}
