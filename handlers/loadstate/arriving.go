package loadstate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Waits says what keeps a page from having loaded, "" if nothing is known to: the documents of frames
// first, and what has not answered before what has not ended.
func Waits(p *browser.Page) string {
	for _, answered := range []bool{false, true} {
		list := Busy.Of(p).keepLoading(answered)
		if len(list) == 0 {
			continue
		}
		for i, at := range list[:min(len(list), maxNamed)] {
			url, frame := strings.CutPrefix(at, ofFrame)
			if list[i] = p.Short(url, 200); frame {
				list[i] += " (a frame)"
			}
		}
		if more := len(list) - maxNamed; more > 0 {
			list = append(list[:maxNamed], fmt.Sprintf("%d more", more))
		}
		if answered {
			return "not all of it has come from " + strings.Join(list, ", ")
		}
		return "no answer yet from " + strings.Join(list, ", ")
	}
	return ""
}

// maxNamed is how many addresses Waits names.
const maxNamed = 3

// ofFrame is before the address of a frame's document. It sorts before any other.
const ofFrame = "\x00"

// keepLoading are the addresses of pending requests that a page's load event waits for, in order.
func (n *traffic) keepLoading(answered bool) (list []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for r, has := range n.open {
		switch at := r.URL(); {
		case has != answered:
		case r.IsNavigationRequest() && !isOfPage(r):
			list = append(list, ofFrame+at)
		case slices.Contains(loadWaitsFor, r.ResourceType()):
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// loadWaitsFor are the types of requests that the load event waits for: not what scripts fetch.
var loadWaitsFor = []string{"document", "stylesheet", "script", "image", "font", "media"}

// LessThanLoad is the latest state before "load" that a page's document has reached.
func LessThanLoad(p *browser.Page) string {
	if knownLoaded(p.PW.MainFrame(), *playwright.LoadStateDomcontentloaded, time.Millisecond) == nil {
		return string(*playwright.LoadStateDomcontentloaded)
	}
	return "commit"
}

// TakeLoading reports, once, that a navigation ended before the page had loaded.
func TakeLoading(p *browser.Page) bool { return slow.Of(p).loading.Swap(false) }
