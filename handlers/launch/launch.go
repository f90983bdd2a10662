// Package launch starts the driver and a browser, or attaches to one.
package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/machine/setup"
)

// StartOptions say which browser to start, or to attach to, and how.
type StartOptions struct {
	Browser     string      // what setup.Options.Browser takes
	Headed      bool        // show a window
	CDP         string      // attach to a Chromium at this address
	CDPHeaders  http.Header // of the requests that attach
	Source      *Source     // have its browser; CDP may name it too. nil for none
	WS          string      // attach to a Playwright server at this address
	UserDataDir string      // profile folder; its one context is the first
	BaseURL     string      // what relative URLs are resolved against in it
	Sandbox     string      // what setup.Options.Sandbox takes
	Proxy       string      // everything goes through it, "" for none
	PAC         string      // URL of a PAC script, "" for none
	FrameRate   string      // UnlimitedFrames, else as many as a screen shows
	PageTools   bool        // pages may offer tools to agents (WebMCP)
	Without     []string    // features that Chromium is started without
	Extra       Extra
	Drivers     *Drivers // that browsers share, nil for a driver of its own
	Log         *slog.Logger

	Before func(*playwright.Playwright) error // before the driver's first browser starts
	Left   func(folders []string)             // told the folders of killed runs; nil: nobody
	Up     func(*Run)                         // when it is there; may block
}

// Extra holds what the person who starts the browser may add. It is not for an attached browser.
type Extra struct {
	Args    []string      // switches of the browser
	SlowMo  float64       // milliseconds that the driver waits after each act
	Timeout time.Duration // of the start, 0 for the usual
}

func (o StartOptions) attaches() bool { return o.CDP != "" || o.WS != "" || o.Source != nil }

// place is where an attached browser is, for people, "" of one that pwpipe starts.
func (o StartOptions) place() string {
	switch {
	case o.Source != nil:
		return o.Source.Place
	case o.attaches():
		return "at " + cmp.Or(o.CDP, o.WS)
	}
	return ""
}

// launchTimeout bounds the start of a browser, without the time that setup
// takes to fetch one.
const launchTimeout = 60 * time.Second

// within bounds the start of the browser.
func (o StartOptions) within() time.Duration {
	if o.Source != nil && o.Source.Patience > 0 {
		return launchTimeout + o.Source.Patience // a grid may have to wait for a place
	}
	return cmp.Or(o.Extra.Timeout, launchTimeout)
}

// Start starts driver and browser. Where an earlier run found that the browser
// comes up with its sandbox on, and now it does not, that is found out anew.
func Start(o StartOptions) (*Run, error) {
	if o.UserDataDir != "" { // the browser is not always where we are
		dir, err := filepath.Abs(o.UserDataDir)
		if err != nil {
			return nil, err
		}
		o.UserDataDir = dir
	}
	r, again, err := o.try(false)
	if again {
		r, _, err = o.try(true)
	}
	return r, err
}

// startThreads is how many threads run Go code while a browser starts. With one,
// a goroutine that waits for a process blocks all others until the runtime has
// noticed, which takes 20 ms.
const startThreads = 4

// manyThreads lifts a lower limit, until back is called.
func manyThreads() (back func()) {
	if n := runtime.GOMAXPROCS(0); n < startThreads {
		runtime.GOMAXPROCS(startThreads)
		return func() { runtime.GOMAXPROCS(n) }
	}
	return func() {}
}

// try is one attempt; again says that another may do better with what is
// remembered about the sandbox found out anew.
func (o StartOptions) try(anew bool) (_ *Run, again bool, err error) {
	begin := time.Now()
	defer manyThreads()()
	in, err := setup.Ensure(context.Background(), setup.Options{
		Browser: o.Browser, Headed: o.Headed, SkipBrowser: o.attaches(),
	})
	if err != nil {
		return nil, false, err
	}
	place, ours, err := o.seat(in)
	if err != nil {
		return nil, false, withTrouble(err, in)
	}
	finding := o.findSandbox(in, anew, ours.early)
	d, err := place.start()
	walls := <-finding // so that nothing starts any more
	if err != nil {
		err = withTrouble(err, in)
	} else if walls.err != nil {
		err = fmt.Errorf("browser: %w", walls.err)
	}
	if err != nil {
		ours.kill()
		place.leave()
		return nil, false, err
	}
	r := &Run{Driver: d, seat: place, DriverDir: in.DriverDir, Node: in.Node, Locale: o.contextsLocale(in), pinned: in.Pinned(),
		started: started{launcher: ours}, attachment: attachment{attached: o.place(), fresh: o.Source.fresh()},
		ending: ending{log: o.Log, Gone: make(chan struct{})}}
	if err := r.opened(o, in, walls.On); err != nil {
		ours.kill()
		place.giveUp()
		if r.fresh {
			return nil, false, fmt.Errorf("no browser %s: %s", r.attached, strings.TrimSuffix(attachError(err), startOne))
		}
		if r.attached != "" {
			return nil, false, fmt.Errorf("can't attach to the browser %s: %s", r.attached, attachError(err))
		}
		return nil, walls.On && walls.Remembered, fmt.Errorf("browser: %w", startError(err, in))
	}
	go place.keep(r)
	go func() {
		select {
		case <-d.Gone():
			r.Lost(driverDied)
			return
		case <-r.exited:
		case <-r.cut():
		case <-r.reached.gone():
		}
		r.Lost(r.farewell())
	}()
	o.Log.Info("browser started", "version", r.Version(), "took", time.Since(begin).Round(time.Millisecond), "driver_pid", d.PID(),
		"sandbox", walls.On, "sandbox_off", walls.Why)
	return r, false, nil
}

// opened opens the browser within the time that it has, whatever playwright-go
// does.
func (r *Run) opened(o StartOptions, in *setup.Installed, sandbox bool) error {
	done, over := make(chan error), make(chan struct{})
	defer close(over)
	go func() {
		var err error
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("starting the browser: %v", v)
			}
			if err != nil {
				r.reached.leave()
			}
			select {
			case done <- err:
			case <-over: // nobody waits any more for one of a grid, which would be kept for ever
				r.reached.leave()
				r.line.close()
			}
		}()
		err = r.open(o, in, sandbox)
		if err == nil {
			o.Up(r)
			if o.attaches() && !r.fresh { // later there are sessions' own among them
				r.Found = slices.Clone(r.Browser.Contexts())
			}
		}
	}()
	select {
	case err := <-done:
		return err
	case <-r.Driver.Gone():
		return fmt.Errorf("the Playwright driver ended while the browser was starting")
	case <-time.After(o.within()):
		return fmt.Errorf("the browser did not start within %s", o.within())
	}
}

// open launches the browser, or attaches to one.
func (r *Run) open(o StartOptions, in *setup.Installed, sandbox bool) (err error) {
	pw := r.Driver.Playwright
	r.Chromium = in.Kind == "" || in.Kind == "chromium" || o.CDP != "" || o.Source != nil
	r.Kind = pw.Chromium
	switch in.Kind {
	case "firefox":
		r.Kind = pw.Firefox
	case "webkit":
		r.Kind = pw.WebKit
	}
	switch {
	case o.Source != nil:
		err = r.reach(o)
	case o.CDP != "":
		err = r.attachTo(o)
	case o.WS != "":
		r.Browser, err = r.Kind.Connect(o.WS)
	case o.UserDataDir != "":
		l := launchOptions(o, in, r.seat.folder, sandbox)
		r.launcher.standIn(&l)
		r.First, err = r.Kind.LaunchPersistentContext(o.UserDataDir, persistentOptions(o, in, l))
		if err == nil {
			// Its Browser() is a nil pointer that looks like a browser.
			r.First.OnClose(func(playwright.BrowserContext) { r.Lost("the browser died or was closed") })
		}
	default:
		l := launchOptions(o, in, r.seat.folder, sandbox)
		r.launcher.standIn(&l)
		r.Browser, err = r.Kind.Launch(l)
	}
	if err != nil {
		return r.launcher.blame(err)
	}
	r.launcher.settle(r)
	if r.Browser != nil {
		r.Browser.OnDisconnected(func(playwright.Browser) { r.Lost(r.farewell()) })
	}
	return nil
}

// startError says why the browser did not start, and what to do.
func startError(err error, in *setup.Installed) error {
	msg := err.Error()
	switch {
	case strings.Contains(msg, "Missing X server"), strings.Contains(msg, "DISPLAY"):
		return errors.New("a window can't be shown here (no display); leave out --headed")
	case strings.Contains(msg, "Socket path too long"):
		return fmt.Errorf("the path of the temporary folder, %s, is too long for a browser's socket; set TMPDIR to a shorter one", os.TempDir())
	}
	last := regexp.MustCompile(`(?s)^.*\]\[(?:out|err)\] ([^\n]{1,300}).*|^.*`).ReplaceAllString(msg, "$1")
	why := pwerrors.FirstLine(pwerrors.CleanMessage(err)) + "; it printed: " + last
	return withTrouble(errors.New(strings.TrimSuffix(why, "; it printed: ")), in)
}

// withTrouble adds to why something did not start what is wrong with the
// temporary folder or the limits, or else where to look.
func withTrouble(err error, in *setup.Installed) error {
	if trouble := cmp.Or(setup.CheckTemp(), setup.CheckLimits(!in.Pinned())); trouble != nil {
		return fmt.Errorf("%w; %w", err, trouble)
	}
	return fmt.Errorf("%w; `pwpipe doctor` says what is wrong", err)
}
