//go:build evidence

package pwerrors_test

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/internal/pipetest"
)

func to(url string) func(*real, playwright.Page) error {
	return func(r *real, p playwright.Page) error {
		_, err := p.Goto(strings.Replace(url, "SITE", r.site, 1))
		return err
	}
}

func evaluate(expression string) func(*real, playwright.Page) error {
	return func(_ *real, p playwright.Page) error {
		_, err := p.Evaluate(expression)
		return err
	}
}

// devtools sends a CDP command.
func devtools(p playwright.Page, method string, params map[string]any) error {
	s, err := p.Context().NewCDPSession(p)
	if err != nil {
		return err
	}
	_, err = s.Send(method, params)
	return err
}

// Checks every predicate against real errors of driver and browser. An upgrade
// that changes a text fails here, by name.
func TestSentences(t *testing.T) {
	pipetest.Nightly(t, "only another driver or browser changes them")
	t.Parallel()
	r := start(t)
	closed := func(do func(playwright.Page) error) func(*real, playwright.Page) error {
		return func(_ *real, p playwright.Page) error {
			if err := do(p); err != nil {
				return nil // fails the case
			}
			_, err := p.Title()
			return err
		}
	}
	selector := func(sel string) func(*real, playwright.Page) error {
		return func(_ *real, p playwright.Page) error { _, err := p.Locator(sel).Count(); return err }
	}
	isSelectorError := func(err error) bool {
		head, _ := pwerrors.SplitLog(pwerrors.CleanMessage(err))
		return pwerrors.IsSelectorError(head) && pwerrors.SelectorReason(head) != ""
	}
	for name, c := range map[string]struct {
		is func(error) bool
		do func(*real, playwright.Page) error
	}{
		"IsAborted":             {pwerrors.IsAborted, to("SITE/nothing")},
		"IsAborted, a download": {pwerrors.IsAborted, to("SITE/file")},
		"IsGone, an object": {pwerrors.IsGone, func(_ *real, p playwright.Page) error {
			return devtools(p, "Runtime.callFunctionOn", map[string]any{"functionDeclaration": "() => 1", "objectId": "1.1.1"})
		}},
		"IsGone, a world": {pwerrors.IsGone, func(_ *real, p playwright.Page) error {
			return devtools(p, "Runtime.evaluate", map[string]any{"expression": "1", "uniqueContextId": "1.1"})
		}},
		"IsGone, a context": {pwerrors.IsGone, func(_ *real, p playwright.Page) error {
			return devtools(p, "Runtime.evaluate", map[string]any{"expression": "1", "contextId": 4711})
		}},
		"IsInvalidURL": {pwerrors.IsInvalidURL, to("no url")},
		"IsLeft":       {pwerrors.IsLeft, evaluate(`new Promise(() => location.href = '/?left')`)},
		"IsNoField": {pwerrors.IsNoField, func(_ *real, p playwright.Page) error {
			_, err := p.Locator("p").InputValue()
			return err
		}},
		"IsNoFileField": {pwerrors.IsNoFileField, func(_ *real, p playwright.Page) error {
			return p.Locator("p").SetInputFiles([]playwright.InputFile{{Name: "a", MimeType: "text/plain", Buffer: []byte("a")}})
		}},
		"IsNoHost": {pwerrors.IsNoHost, to("http://nobody.invalid/")},
		"IsNoStorage": {pwerrors.IsNoStorage, func(_ *real, p playwright.Page) error {
			if _, err := p.Goto("data:text/html,x"); err != nil {
				return nil
			}
			_, err := p.Evaluate("localStorage.length")
			return err
		}},
		"IsNoTouch": {pwerrors.IsNoTouch, func(_ *real, p playwright.Page) error { return p.Locator("p").Tap() }},
		"IsNotTracing": {pwerrors.IsNotTracing, func(_ *real, p playwright.Page) error {
			return p.Context().Tracing().Stop(filepath.Join(t.TempDir(), "trace.zip"))
		}},
		"IsTracing": {pwerrors.IsTracing, func(_ *real, p playwright.Page) error {
			if err := p.Context().Tracing().Start(); err != nil {
				return nil
			}
			return p.Context().Tracing().Start()
		}},
		"IsPast": {pwerrors.IsPast, func(_ *real, p playwright.Page) error {
			now := time.Now()
			if err := p.Clock().Install(playwright.ClockInstallOptions{Time: now}); err != nil {
				return nil
			}
			return p.Clock().PauseAt(now.Add(-time.Hour))
		}},
		"IsRefused": {pwerrors.IsRefused, func(r *real, p playwright.Page) error {
			closed := httptest.NewServer(nil)
			closed.Close()
			return to(closed.URL)(r, p)
		}},
		"IsUnknownKey":        {pwerrors.IsUnknownKey, func(_ *real, p playwright.Page) error { return p.Keyboard().Press("Nonesuch") }},
		"IsUnknownPermission": {pwerrors.IsUnknownPermission, func(_ *real, p playwright.Page) error { return p.Context().GrantPermissions([]string{"nonesuch"}) }},

		"IsClosed, the page":    {pwerrors.IsClosed, closed(func(p playwright.Page) error { return p.Close() })},
		"IsClosed, the context": {pwerrors.IsClosed, closed(func(p playwright.Page) error { return p.Context().Close() })},
		"IsClosed, meanwhile": {pwerrors.IsClosed, func(_ *real, p playwright.Page) error {
			ended := make(chan error, 1)
			go func() { _, err := p.Evaluate("new Promise(() => 0)"); ended <- err }()
			if _, err := p.Evaluate("1"); err != nil || p.Close() != nil {
				return nil
			}
			return <-ended
		}},

		"IsSelectorError, CSS":       {isSelectorError, selector("p:nonesuch(")},
		"IsSelectorError, no CSS":    {isSelectorError, selector("p[")},
		"IsSelectorError, a pseudo":  {isSelectorError, selector("p:nonesuch")},
		"IsSelectorError, XPath":     {isSelectorError, selector("xpath=//[")},
		"IsSelectorError, an engine": {isSelectorError, selector("nonesuch=x")},
		"IsSelectorError, a role":    {isSelectorError, selector("role=")},
		"IsSelectorError, empty":     {isSelectorError, selector("")},
	} {
		t.Run(name, func(t *testing.T) {
			p := r.page()
			defer func() { _ = p.Context().Close() }()
			err := c.do(r, p)
			if err == nil {
				t.Fatal("no error")
			}
			if !c.is(err) {
				t.Errorf("%s does not know %q", name, err)
			}
		})
	}
}
