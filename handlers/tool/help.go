package tool

import (
	"context"
	"errors"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/files"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/pwerrors"
	"pwpipe/provider"
)

// Emulate sends a command with parameters to the page's DevTools session,
// which lives as long as the page, so what it sets stays.
func (c *Call) Emulate(method string, params map[string]any) error {
	if !c.Engine.Chromium {
		return provider.Errorf(provider.KindFailed, "only Chromium can do this on an open page").
			WithHint("give open-ctx the option instead")
	}
	if err := c.Attached(); err != nil {
		return err
	}
	_, err := c.DevTools(method, params)
	return err
}

// Optional is a value for Playwright, nil for none.
func Optional[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// Pick is a choice for Playwright, nil for none.
func Pick[T ~string](s string) *T { return Optional(T(s)) }

// Pause waits for d, or less when the request ends first.
func (c *Call) Pause(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-c.Ctx.Done():
		return c.Ctx.Err()
	}
}

// Parameters that many tools share.
type (
	NoParams struct{}
	SelParam struct {
		Sel Selector `json:"sel" doc:"selector"`
	}
)

// Wrote is the error of a file that was to be written: ours as it is,
// Playwright's as of any call.
func (c *Call) Wrote(err error) error {
	var own *provider.Error
	if errors.As(err, &own) {
		return err
	}
	return c.Fail(err, "")
}

// WriteFile writes a whole file or none, and has its client be offered it.
func (c *Call) WriteFile(path string, data []byte) error {
	err := files.WriteFile(path, data)
	if err == nil {
		provider.Wrote(c.Ctx, path)
	}
	return err
}

// TimeLeft is [Call.Left] as a duration.
func (c *Call) TimeLeft() time.Duration { return time.Duration(*c.Left() * float64(time.Millisecond)) }

// NetworkIdle waits until the page's network is idle.
func (c *Call) NetworkIdle() error {
	err := loadstate.Loaded(c.Ctx, c.Page, *playwright.LoadStateNetworkidle, c.TimeLeft())
	if err == nil || pwerrors.IsClosed(err) || errors.Is(err, context.Canceled) {
		return err
	}
	e := provider.AsError(c.Fail(err, ""))
	if e.Kind == provider.KindTimeout {
		e.Msg = "the network did not become idle within " + pwerrors.Seconds(provider.RequestFrom(c.Ctx).Deadline) + " on " + c.Where().String()
		if waiting := loadstate.Busy.Of(c.Page).Waiting(); waiting != "" {
			e.Msg += "; no response from " + c.Short(waiting, 200)
		}
		e.Hint = "the page may be usable all the same; waitUntil \"load\" does not wait for the network"
	}
	return e
}

// Modifiers are the keys that are held during a click, as a parameter of that
// name lists them.
func Modifiers(param string, keys []string) (held []playwright.KeyboardModifier, err error) {
	for _, k := range keys {
		switch k {
		case "Alt", "Control", "ControlOrMeta", "Meta", "Shift":
			held = append(held, playwright.KeyboardModifier(k))
		default:
			return nil, provider.Errorf(provider.KindArgs, "%s: expected Alt, Control, ControlOrMeta, Meta or Shift, got %q", param, k)
		}
	}
	return held, nil
}
