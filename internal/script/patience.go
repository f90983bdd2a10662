package script

import (
	"math"
	"strings"

	"github.com/playwright-community/playwright-go"
)

// How long a call may take where the script does not say, in milliseconds.
// Playwright's own half minute is a whole script's time: a locator that matches
// nothing would take all of it. What is meant to wait (navigation, waitFor…,
// requests) has all that the script has left.
const (
	actionTime    = 10_000
	assertionTime = 5_000
)

// defaults are what setDefaultTimeout and setDefaultNavigationTimeout set on a
// page or a context; nil for nothing.
type defaults struct{ any, navigation *float64 }

// setDefault keeps what a script sets for a page or a context.
func (r *Runtime) setDefault(self any, method string, ms float64) {
	d := r.defaults[self]
	if d == nil {
		d = &defaults{}
		r.defaults[self] = d
	}
	if !(ms > 0) { // Playwright's word for no limit
		ms = math.Inf(1)
	}
	switch method {
	case "setDefaultTimeout":
		d.any = &ms
	case "setDefaultNavigationTimeout":
		d.navigation = &ms
	}
}

// patience is how long a call on self may take whose options, of a type of that
// name, do not say.
func (r *Runtime) patience(self any, options string) float64 {
	if strings.Contains(options, "Assertions") {
		return assertionTime
	}
	navigation := mentions(options, "Goto", "Reload", "GoBack", "GoForward", "WaitForURL", "WaitForLoadState", "SetContent")
	for _, of := range r.ownersOf(self) {
		d := r.defaults[of]
		switch {
		case d == nil:
		case navigation && d.navigation != nil:
			return *d.navigation
		case d.any != nil:
			return *d.any
		}
	}
	if navigation || mentions(options, "WaitFor", "Expect", "APIRequest") {
		return math.Inf(1)
	}
	return actionTime
}

func mentions(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// ownersOf are the page and the context that an object belongs to, as far as it
// tells without asking the browser.
func (r *Runtime) ownersOf(self any) []any {
	var page playwright.Page
	switch self := self.(type) {
	case playwright.BrowserContext:
		return []any{self}
	case playwright.APIRequestContext:
		return nil
	case playwright.Page:
		page = self
	case playwright.Frame:
		page = self.Page()
	case playwright.Locator:
		page, _ = self.Page()
	case playwright.ElementHandle:
		if r.call != nil {
			page = r.call.page
		}
	}
	if page == nil {
		return nil
	}
	return []any{page, page.Context()}
}

// waitTime is how long the wait for an event of an object may take, for the
// prelude.
func (r *Runtime) waitTime(obj any) float64 {
	for _, of := range r.ownersOf(obj) {
		if d := r.defaults[of]; d != nil && d.any != nil {
			return *d.any
		}
	}
	return 30_000
}
