package loadstate

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
)

// Bounds of the waits of those who can do with a part of a document.
const (
	maxArriving = 2 * time.Second        // of its HTML
	again       = 100 * time.Millisecond // of one that was waited for before
	maxLoading  = 5 * time.Second        // of what else it loads
)

// slow says of a page's document that its HTML was waited for.
var slow = browser.State[*browser.Page, slowness]{New: func(p *browser.Page) *slowness {
	s := &slowness{}
	p.OnLeave(func() { s.waited.Store(false) })
	return s
}}

type slowness struct {
	waited  atomic.Bool
	loading atomic.Bool // a navigation ended before the page had loaded, and nobody has been told
}

// Arrived waits for the HTML of a page's document, but not for long: some never ends. It reports whether
// all of it is there.
func Arrived(ctx context.Context, p *browser.Page, within time.Duration) (whole bool, err error) {
	most := maxArriving
	if slow.Of(p).waited.Load() {
		most = again
	}
	err = Loaded(ctx, p, *playwright.LoadStateDomcontentloaded, min(most, within))
	if most < within && errors.Is(err, playwright.ErrTimeout) {
		slow.Of(p).waited.Store(true)
		return false, nil
	}
	return err == nil, err
}

// LoadedSoon waits until a page has loaded, but not for long: a frame or a picture may never come.
func LoadedSoon(ctx context.Context, p *browser.Page, within time.Duration) error {
	err := Loaded(ctx, p, *playwright.LoadStateLoad, min(maxLoading, within))
	if maxLoading < within && errors.Is(err, playwright.ErrTimeout) {
		slow.Of(p).loading.Store(true)
		if Loaded(ctx, p, *playwright.LoadStateDomcontentloaded, again) != nil {
			slow.Of(p).waited.Store(true)
		}
		return nil
	}
	return err
}

// TakeLoading reports, once, that a navigation ended before the page had loaded.
func TakeLoading(p *browser.Page) bool { return slow.Of(p).loading.Swap(false) }
