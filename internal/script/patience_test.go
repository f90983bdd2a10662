package script

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// contextOf is a context that is only compared.
type contextOf struct{ playwright.BrowserContext }

// TestOneCallDoesNotTakeTheWholeScript: what acts on elements has a bound of
// its own, what waits has the script's, and a script may say otherwise.
func TestOneCallDoesNotTakeTheWholeScript(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r := &Runtime{call: &execution{ctx: ctx}, defaults: map[any]*defaults{}}
	own := &contextOf{}
	r.setDefault(own, "setDefaultTimeout", 2000)
	second := 1000.0
	const rest = 50_000 // at least so much of the minute is left
	for _, c := range []struct {
		self    any
		options any
		least   float64
		most    float64
	}{
		{nil, playwright.LocatorClickOptions{}, 10_000, 10_000},
		{nil, playwright.FrameTextContentOptions{}, 10_000, 10_000},
		{nil, playwright.LocatorClickOptions{Timeout: &second}, 1000, 1000},
		{nil, playwright.LocatorAssertionsToBeVisibleOptions{}, 5000, 5000},
		{nil, playwright.PageGotoOptions{}, rest, 60_000},
		{nil, playwright.PageWaitForURLOptions{}, rest, 60_000},
		{nil, playwright.LocatorWaitForOptions{}, rest, 60_000},
		{nil, playwright.APIRequestContextGetOptions{}, rest, 60_000},
		{own, playwright.LocatorClickOptions{}, 2000, 2000},
		{own, playwright.PageGotoOptions{}, 2000, 2000},
		{own, playwright.LocatorAssertionsToBeVisibleOptions{}, 5000, 5000},
	} {
		options := reflect.New(reflect.TypeOf(c.options)).Elem()
		options.Set(reflect.ValueOf(c.options))
		r.limit(c.self, options)
		if got := *options.FieldByName("Timeout").Interface().(*float64); got < c.least || got > c.most {
			t.Errorf("%T of %T: %v ms, expected %v to %v", c.options, c.self, got, c.least, c.most)
		}
	}
	if r.setDefault(own, "setDefaultNavigationTimeout", 0); r.patience(own, "PageGotoOptions") < rest {
		t.Error("0 is no limit")
	}
}
