package launch

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/browser/driver"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// on takes a seat, without a browser.
func on(t *testing.T, d *Drivers, o driver.Options) *seat {
	t.Helper()
	s, err := d.seat(o, unprepared)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.leave)
	return s
}

func unprepared(*playwright.Playwright) error { return nil }

// TestSeats: a browser goes to the first driver that has room, has the same options and is
// not in doubt; else to a new one. Its folder is its own, and goes with it.
func TestSeats(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := &Drivers{Each: 2}
	o := driver.Options{Node: "node", Dir: "dir", Env: []string{"A=1"}}
	a1, a2, b1 := on(t, d, o), on(t, d, o), on(t, d, o)
	if a1.sharedDriver != a2.sharedDriver || b1.sharedDriver == a1.sharedDriver {
		t.Error("three browsers are not on two drivers, two on the first")
	}
	if a1.folder == a2.folder {
		t.Error("two browsers have one folder")
	}
	a1.leave()
	if _, err := os.Stat(a1.folder); err == nil {
		t.Error("the folder of a browser that left is there")
	}
	if _, err := os.Stat(a2.folder); err != nil {
		t.Error("the folder of the other is gone")
	}
	if a3 := on(t, d, o); a3.sharedDriver != a1.sharedDriver || a3.folder == a2.folder {
		t.Error("the free place on the first driver is not taken")
	}
	for _, other := range []driver.Options{{Node: "n", Dir: "dir", Env: o.Env}, {Node: "node", Dir: "d", Env: o.Env}, {Node: "node", Dir: "dir"}} {
		if s := on(t, d, other); s.sharedDriver == b1.sharedDriver {
			t.Errorf("%+v share a driver with %+v", other, o)
		}
	}
	b1.bar(true)
	c1 := on(t, d, o)
	if c1.sharedDriver == b1.sharedDriver {
		t.Error("a driver in doubt gets a browser")
	}
	b1.bar(false)
	if s := on(t, d, o); s.sharedDriver != b1.sharedDriver {
		t.Error("a driver that is in doubt no more gets none")
	}
	c1.leave()
	if s := on(t, d, o); s.sharedDriver == c1.sharedDriver {
		t.Error("a driver without browsers, which ends, gets one")
	}
}

// TestSeatOfDeadDriver: no browser goes to a driver that has ended, even before anything else
// has noticed it.
func TestSeatOfDeadDriver(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	in, err := setup.Ensure(t.Context(), setup.Options{SkipBrowser: true, Stderr: io.Discard})
	if err != nil {
		t.Skip("no driver:", err)
	}
	d := &Drivers{Each: 2}
	o := driver.Options{Node: in.Node, Dir: in.DriverDir, Env: in.DriverEnv}
	first := on(t, d, o)
	started, err := first.start()
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(started.PID())
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	pipetest.Eventually(t, "the driver is dead", started.Dead)
	if on(t, d, o).sharedDriver == first.sharedDriver {
		t.Error("it gets a browser")
	}
}

// TestBrowserEndsBeforeItsFolder: a browser that is stopped, or lost, has ended when its folder
// is removed: it would make the folder again. Other browsers on the driver stay, and the last
// one's end is the driver's.
func TestBrowserEndsBeforeItsFolder(t *testing.T) {
	pipetest.UnderRace(t)
	t.Setenv("TMPDIR", t.TempDir())
	d := &Drivers{Each: 3}
	begin := func() *Run {
		t.Helper()
		r, err := Start(StartOptions{Drivers: d, Log: slog.New(slog.DiscardHandler), Before: unprepared, Up: func(*Run) {}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Stop(t.Context(), func() {}) })
		if r.process == nil {
			t.Skip("the driver starts the browser here")
		}
		return r
	}
	stopped, lost, last := begin(), begin(), begin()
	if stopped.Driver != last.Driver || lost.Driver != last.Driver {
		t.Fatal("they are not on one driver")
	}
	ctx, cancel := context.WithTimeout(t.Context(), pipetest.Patience)
	defer cancel()
	for r, end := range map[*Run]func(){
		stopped: func() { stopped.Stop(ctx, func() {}) },
		lost:    func() { lost.Lost("it hung") },
	} {
		go end()
		for there := true; there && ctx.Err() == nil; { // without a pause: what follows comes at once
			_, err := os.Stat(r.seat.folder)
			there = err == nil
		}
		select {
		case <-r.exited:
		default:
			t.Errorf("%q: its folder is gone, and it runs", r.Reason)
		}
	}
	if !last.Answers() {
		t.Error("the third browser does not answer")
	}
	last.Stop(ctx, func() {})
	if left, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*")); !last.Driver.Dead() || len(left) > 0 {
		t.Errorf("the driver has ended: %t; folders left: %v", last.Driver.Dead(), left)
	}
}
