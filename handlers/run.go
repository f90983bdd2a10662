package handlers

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/driver"
	"pwpipe/provider"
)

// run is one run of driver and browser.
type run struct {
	driver  *driver.Driver
	browser playwright.Browser
	first   playwright.BrowserContext // of a persistent profile, else nil
	kind    playwright.BrowserType

	chromium bool                        // it has DevTools
	found    []playwright.BrowserContext // in a browser that was attached to
	attached string                      // its address, if it is not ours

	once   sync.Once
	gone   chan struct{} // closed when driver or browser is gone
	reason string        // set before gone is closed
	lostAt time.Time     // likewise
}

// alive reports whether the engine can take calls.
func (r *run) alive() bool {
	select {
	case <-r.gone:
		return false
	case <-r.driver.Gone():
		r.lost("the Playwright driver died")
		return false
	default:
		return true
	}
}

// lost marks the engine as gone, once, with what happened to it.
func (r *run) lost(reason string) {
	r.once.Do(func() {
		r.reason, r.lostAt = reason, time.Now()
		close(r.gone)
		go r.driver.Kill()
	})
}

// stop closes the browser and the driver, by force when ctx ends; save is called
// first.
func (r *run) stop(ctx context.Context, save func()) {
	r.once.Do(func() {
		r.reason = "the browser was shut down"
		saved := make(chan struct{})
		go func() { save(); close(saved) }()
		select {
		case <-saved:
		case <-ctx.Done():
		}
		close(r.gone)
		_ = r.driver.Stop(ctx)
	})
}

// farewell says what a lost connection means.
func (r *run) farewell() string {
	if r.attached != "" {
		return "the browser at " + r.attached + " went away"
	}
	return "the browser died or was closed"
}

func (r *run) version() string {
	if r.browser == nil {
		return ""
	}
	return r.browser.Version()
}

// lostError is the error of what ran when the browser was lost.
func (r *run) lostError() error {
	hint := "the next request gets a fresh browser"
	if r.attached != "" {
		hint = "the next request connects again"
	}
	return provider.Errorf(provider.KindUnavailable, "%s while the request ran", r.reason).WithHint("%s", hint)
}

// engineProbeTime is how long the driver and the browser have: they may be
// behind with what pages sent them, and every page goes with them.
const engineProbeTime = 3 * time.Second

// answers reports whether driver and browser respond.
func (r *run) answers() bool {
	return within(engineProbeTime, func() error {
		if r.browser == nil || !r.chromium {
			return nil
		}
		s, err := r.browser.NewBrowserCDPSession()
		if err != nil {
			return err
		}
		_, err = s.Send("Browser.getVersion", nil)
		_ = s.Detach()
		return err
	})
}

// within reports whether fn succeeds in time. It may go on in the background.
func within(d time.Duration, fn func() error) bool {
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

// logWriter turns what the driver says into log lines.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		w.log.Debug("driver", "says", strings.TrimSpace(line))
	}
	return len(p), nil
}
