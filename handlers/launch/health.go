package launch

import (
	"fmt"
	"time"

	"github.com/prometheus/procfs"
)

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
	p.worked = p.add(r.Driver.PID())
	if own := r.launcher.started(); own != nil {
		p.add(own.PID())
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
