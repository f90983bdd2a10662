// Package loadstate tracks load states: how far a page has loaded, and whether its
// network is idle.
package loadstate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
)

// Loaded waits until a frame's document has reached a load state:
// page.waitForLoadState.
func Loaded(ctx context.Context, p *browser.Page, f playwright.Frame, state playwright.LoadState, within time.Duration) error {
	return LoadedIn(ctx, Busy.Of(p), f, state, within)
}

// LoadedIn is [Loaded] for a frame of a page with that network; nil: it is not followed
// yet.
func LoadedIn(ctx context.Context, n *traffic, f playwright.Frame, state playwright.LoadState, within time.Duration) error {
	end := time.Now().Add(within)
	idle := state == *playwright.LoadStateNetworkidle
	if idle {
		if knownLoaded(f, state, time.Millisecond) == nil {
			return nil
		}
		if n == nil {
			n = newTraffic()
			follow(f.Page(), func(playwright.Request) *traffic { return n })
		}
		state = *playwright.LoadStateDomcontentloaded
	}
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	err := reached(ctx, f, state, end)
	if err == nil && idle {
		err = n.Idle(ctx, time.Time{}, false)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", playwright.ErrTimeout,
			&playwright.Error{Name: "TimeoutError", Message: fmt.Sprintf("Timeout %dms exceeded.", within.Milliseconds())})
	}
	return err
}

// reached waits for a load state. playwright-go learns load states only from events. It
// knows none for a document that existed before it attached (about:blank of a fresh
// page, a pop-up's, a tab of an attached Chrome), and would wait for ever. So this asks
// the document itself at intervals.
func reached(ctx context.Context, f playwright.Frame, state playwright.LoadState, end time.Time) error {
	for wait := time.Millisecond; state != "commit"; wait = browser.Slice {
		left := time.Until(end)
		if err := knownLoaded(f, state, min(wait, max(left, time.Millisecond))); !errors.Is(err, playwright.ErrTimeout) {
			return err
		}
		switch has, err := saysLoaded(f, min(browser.Slice, max(left, time.Millisecond))); {
		case has == "load" || has == string(state):
			return nil
		case err != nil && (pwerrors.IsClosed(err) || f.IsDetached()):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
	return nil
}

// knownLoaded waits until playwright-go knows a load state.
func knownLoaded(f playwright.Frame, state playwright.LoadState, within time.Duration) error {
	return f.WaitForLoadState(playwright.FrameWaitForLoadStateOptions{State: &state, Timeout: inMilliseconds(within)})
}

// saysLoaded is the load state that a frame's document reports: "load",
// "domcontentloaded", or "" if it has reached neither or does not answer.
func saysLoaded(f playwright.Frame, within time.Duration) (string, error) {
	return f.TextContent("ref=!state", playwright.FrameTextContentOptions{Timeout: inMilliseconds(within)})
}

func inMilliseconds(d time.Duration) *float64 {
	return playwright.Float(float64(d.Microseconds()) / 1000)
}
