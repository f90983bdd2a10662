package launch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/browser/driver"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/machine/temp"
)

// Drivers are the drivers of a service, whose browsers share them: a driver is a Node
// process, and costs far more than a driver's work for one more browser. A driver starts
// when the others have no room, and ends with its last browser.
type Drivers struct {
	Each int // browsers of one driver at most

	mu   sync.Mutex
	list []*sharedDriver
}

// sharedDriver is a driver and its browsers.
type sharedDriver struct {
	of      *Drivers
	options driver.Options
	start   func() (*driver.Driver, error) // once, for all who wait
	driver  *driver.Driver                 // nil until it has started
	numbers int                            // of folders that were made for browsers

	browsers int
	barred   bool // it gets no more browsers: it failed, ends, or is asked whether it answers
}

// seat is the place of one browser on a driver.
type seat struct {
	*sharedDriver
	folder string // of the browser's temporary files
	once   sync.Once
}

// seat is a place for a browser, and the browser if we start it ourselves. One that the driver
// starts has a driver of its own: we can't tell its processes from the driver's other children.
func (o StartOptions) seat(in *setup.Installed) (*seat, *own, error) {
	options := driver.Options{Node: in.Node, Dir: in.DriverDir, Env: in.DriverEnv, Stderr: logWriter{o.Log}, Left: o.Left}
	if o.Drivers != nil && o.UserDataDir == "" {
		s, err := o.Drivers.seat(options, o.Before)
		if err != nil {
			return nil, nil, err
		}
		if ours := o.ours(in, s); ours != nil {
			return s, ours, nil
		}
		s.leave()
	}
	s, err := (&Drivers{Each: 1}).seat(options, o.Before)
	if err != nil {
		return nil, nil, err
	}
	return s, o.ours(in, s), nil
}

// seat is a place on the first driver that has room and the same options, or on a new one,
// which is prepared when it starts.
func (d *Drivers) seat(o driver.Options, prepare func(*playwright.Playwright) error) (*seat, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.list {
		if !s.hasRoom(o) {
			continue
		}
		taken, err := s.take()
		if err == nil {
			return taken, nil
		}
		s.barred = true // its folder is gone
	}
	folder, err := temp.Make()
	if err != nil {
		return nil, err
	}
	o.Temp = folder
	s := &sharedDriver{of: d, options: o}
	s.start = sync.OnceValues(func() (*driver.Driver, error) { return s.begin(prepare) })
	taken, err := s.take()
	if err != nil {
		temp.Remove(folder)
		return nil, err
	}
	d.list = append(d.list, s)
	return taken, nil
}

// take makes one more place. The lock is held.
func (s *sharedDriver) take() (*seat, error) {
	folder := s.options.Temp
	if s.of.Each > 1 {
		folder = filepath.Join(folder, fmt.Sprintf("b%d", s.numbers))
		if err := os.Mkdir(folder, 0o700); err != nil {
			return nil, fmt.Errorf("making a temporary folder: %w", err)
		}
	}
	s.numbers++
	s.browsers++
	return &seat{sharedDriver: s, folder: folder}, nil
}

// hasRoom reports whether one more browser may come. The lock is held.
func (s *sharedDriver) hasRoom(o driver.Options) bool {
	same := s.options.Node == o.Node && s.options.Dir == o.Dir && slices.Equal(s.options.Env, o.Env)
	return same && !s.barred && s.browsers < s.of.Each && (s.driver == nil || !s.driver.Dead())
}

// begin starts the driver.
func (s *sharedDriver) begin(prepare func(*playwright.Playwright) error) (*driver.Driver, error) {
	started, err := driver.Start(s.options)
	if err == nil {
		if err = prepare(started.Playwright); err != nil {
			started.Kill()
		}
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.barred = err != nil
	if err == nil {
		s.driver = started
	}
	return started, err
}

// giveUp is leave for a browser that did not start. The driver may be at fault.
func (s *seat) giveUp() {
	if s.shared() {
		s.doubt()
	}
	s.leave()
}

// leave gives the place up. The last browser's ends the driver.
func (s *seat) leave() { s.vacate(func(d *driver.Driver) { d.Kill() }) }

// vacate gives the place up; end ends a driver without browsers.
func (s *seat) vacate(end func(*driver.Driver)) {
	s.once.Do(func() {
		d := s.of
		d.mu.Lock()
		s.browsers--
		last := s.browsers == 0
		if last {
			s.barred = true
			d.list = slices.DeleteFunc(d.list, func(other *sharedDriver) bool { return other == s.sharedDriver })
		}
		started := s.driver
		d.mu.Unlock()
		switch {
		case !last:
			temp.Remove(s.folder)
		case started != nil:
			end(started)
		default:
			temp.Remove(s.options.Temp)
		}
	})
}

// shared reports whether other browsers are on the driver.
func (s *seat) shared() bool {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	return s.browsers > 1
}

// doubt ends a driver that does not answer, and with it the browsers that are still on it.
// Until that is known another browser gets another driver, so that nobody waits for this one.
func (s *seat) doubt() {
	s.bar(true)
	if s.answers() {
		s.bar(false)
		return
	}
	s.driver.Kill()
}

func (s *seat) bar(on bool) {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.barred = on || s.browsers == 0
}

// answers reports whether the driver answers, whatever its browsers do.
func (s *seat) answers() bool {
	return Within(engineProbeTime, func() error {
		c, err := s.driver.Playwright.Request.NewContext()
		if err == nil {
			err = c.Dispose()
		}
		return err
	})
}

// keep makes sure that a browser does not outlive us.
func (s *seat) keep(r *Run) {
	if r.process == nil {
		s.driver.KeepBrowsers()
		return
	}
	s.driver.KeepBrowsers(r.process.PID())
	select {
	case <-r.Gone: // it ended meanwhile
		r.launcher.kill()
	default:
	}
}

// stop closes a browser, and with the last one the driver, by force when ctx ends.
func (s *seat) stop(ctx context.Context, r *Run) {
	if s.shared() {
		_ = r.Conn.Close() // which ends the browser, in order
		select {
		case <-r.exited:
		case <-ctx.Done():
		}
		r.launcher.kill()
	}
	s.vacate(func(d *driver.Driver) { _ = d.Stop(ctx) })
}
