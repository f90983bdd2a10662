// Package check waits for a condition, and fails when it does not hold in time.
package check

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Visible waits until an element is visible, or not.
var Visible = tool.TypedOnPageDo(tool.Check.Waits("expect-visible", "Expect visible",
	"Wait until an element is visible"), expectState("visible", isVisible))

// Tools are those of profile check.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPageDo(tool.Check.Waits("expect-text", "Expect text",
			"Wait until an element has this text; white space is folded"), expectText),
		tool.OnPageDo(tool.Check.Waits("expect-value", "Expect value", "Wait until a field has this value"), expectValue),
		tool.OnPageDo(tool.Check.Waits("expect-attr", "Expect attribute",
			"Wait until an element has this attribute"), expectAttr),
		tool.OnPageDo(tool.Check.Waits("expect-count", "Expect count", "Wait until so many elements match"), expectCount),
		Visible.Tool,
		tool.OnPageDo(tool.Check.Waits("expect-hidden", "Expect hidden",
			"Wait until an element is hidden or gone"), expectState("hidden", isHidden)),
		tool.OnPageDo(tool.Check.Waits("expect-checked", "Expect checked",
			"Wait until a checkbox or radio button is checked"), expectState("checked", isChecked)),
		tool.OnPageDo(tool.Check.Waits("expect-enabled", "Expect enabled",
			"Wait until an element is enabled"), expectState("enabled", isEnabled)),
		tool.OnPageDo(tool.Check.Waits("expect-focused", "Expect focus",
			"Wait until an element has the keyboard focus"), expectState("focused", isFocused)),
		tool.OnPageDo(tool.Check.Waits("expect-snapshot", "Expect snapshot",
			"Wait until an element has this accessibility snapshot, as Playwright writes it in YAML"), expectSnapshot),
		tool.OnPageDo(tool.Check.Waits("expect-url", "Expect URL", "Wait until the page is at this URL"), expectURL),
		tool.OnPageDo(tool.Check.Waits("expect-title", "Expect title", "Wait until the page has this title"), expectTitle),
		tool.OnPageDo(tool.Check.Waits("expect-shot", "Expect picture",
			"Wait until the page, or an element, looks like a picture in a file"), expectShot),
	}
}

// how says how to compare a text.
type how struct {
	Mode string `json:"mode,omitempty" doc:"equal: the whole text; contains: a part of it; matches: a regular expression (RE2)" enum:"equal,contains,matches" default:"equal"`
	Not  bool   `json:"not,omitempty" doc:"expect the opposite"`
}

// wanted is the expected text in the form of Playwright's assertions.
func (h how) wanted(text string) (any, error) {
	switch h.Mode {
	case "contains":
		return regexp.MustCompile(regexp.QuoteMeta(text)), nil
	case "matches":
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, provider.Errorf(provider.KindArgs, "not a regular expression: %w", err)
		}
		return re, nil
	}
	return text, nil
}

// words describes the expected text.
func (h how) words(what, text string) string {
	verb := map[string]string{"contains": " containing", "matches": " matching"}[h.Mode]
	return fmt.Sprintf("%s%s %q", what, verb, text)
}

// expect runs an assertion of Playwright, which retries until it holds or the deadline
// passes. on is its subject, want the expectation.
func expect(c *tool.Call, on, want string, not bool, check func(playwright.LocatorAssertions, *float64) error) error {
	a := playwright.NewPlaywrightAssertions().Locator(tool.Frame(c.Page).Locator(on).First())
	if not {
		a = a.Not()
	}
	err := unmet(c, check(a, c.Left()), fmt.Sprintf("%q", on), on, want, not)
	return orGone(c, err, on, want == "to be hidden" && !not || want == "to be visible" && not)
}

// orGone is the error of a failed assertion on a ref whose element is gone: none where that is what was expected.
func orGone(c *tool.Call, err error, sel string, expected bool) error {
	if err == nil || !strings.Contains(sel, "ref=") {
		return err
	}
	_, lookup := tool.Frame(c.Page).Locator(sel).Count()
	switch gone := c.Fail(lookup, sel); {
	case !tool.IsGone(gone):
		return err
	case expected:
		return nil
	default:
		return gone
	}
}

// expect is [expect] for a text that an element has.
func (h how) expect(c *tool.Call, on tool.Selector, what, text string,
	check func(a playwright.LocatorAssertions, want any, timeout *float64) error) error {
	want, err := h.wanted(text)
	if err != nil {
		return err
	}
	return expect(c, string(on), h.words(what, text), h.Not, func(a playwright.LocatorAssertions, timeout *float64) error {
		return check(a, want, timeout)
	})
}

// reSnapshot finds the text in Playwright's map of a snapshot, which has a pattern too.
var reSnapshot = regexp.MustCompile(`(?s)^map\[raw:(.*?) regex:.*\]$`)

// unmet makes the error of a failed assertion: what was expected, what was found, after
// how long.
func unmet(c *tool.Call, err error, what, sel, want string, not bool) error {
	if err == nil || pwerrors.IsClosed(err) {
		return err
	}
	if c.Ctx.Err() == context.Canceled {
		return c.Ctx.Err()
	}
	_, got, found := strings.Cut(err.Error(), "\nActual value: ")
	if !found {
		return c.Fail(err, sel)
	}
	got, log, _ := strings.Cut(got, "\nCall log:")
	got = reSnapshot.ReplaceAllString(strings.TrimSuffix(got, " "), "$1")
	verb, state := "to have", strings.HasPrefix(want, "to ")
	if state {
		verb = ""
	}
	if not {
		verb = strings.TrimSpace("not " + verb)
	}
	e := provider.Errorf(provider.KindFailed, "expected %s %s, got %s", what, strings.TrimSpace(verb+" "+want), seenOf(c, got, sel, state || strings.HasSuffix(want, " matches")))
	at := c.Where()
	e.Msg += fmt.Sprintf(", after %s on %s", pwerrors.Seconds(provider.RequestFrom(c.Ctx).Deadline), at)
	e.Page, e.URL, e.Log = at.Page, at.URL, strings.TrimSpace(log)
	return e
}

// seenOf is what was found, in quotes unless it is our own word. If nothing matches,
// Playwright answers <nil>, or the outline of the page.
func seenOf(c *tool.Call, got, sel string, bare bool) string {
	if got == "<nil>" || strings.HasPrefix(got, "- ") {
		if n, err := tool.Frame(c.Page).Locator(sel).Count(); sel != "" && err == nil && n == 0 {
			return "nothing: no element matches"
		}
	}
	switch {
	case strings.Contains(got, "element(s) not found"):
		return "nothing: no element matches"
	case got == "<nil>":
		return "none"
	case bare:
		return got
	}
	return fmt.Sprintf("%q", c.Short(got, 500))
}

type expectTextParams struct {
	Sel  tool.Selector `json:"sel" doc:"selector"`
	Text string        `json:"text" doc:"what to expect"`
	how
}

// expectText is expect(locator).toHaveText.
func expectText(c *tool.Call, in expectTextParams) error {
	return in.expect(c, in.Sel, "text", in.Text, func(a playwright.LocatorAssertions, want any, timeout *float64) error {
		if in.Mode == "contains" {
			return a.ToContainText(in.Text, playwright.LocatorAssertionsToContainTextOptions{Timeout: timeout})
		}
		return a.ToHaveText(want, playwright.LocatorAssertionsToHaveTextOptions{Timeout: timeout})
	})
}

type expectValueParams struct {
	Sel   tool.Selector `json:"sel" doc:"selector"`
	Value string        `json:"value" doc:"what to expect"`
	how
}

// expectValue is expect(locator).toHaveValue.
func expectValue(c *tool.Call, in expectValueParams) error {
	return in.expect(c, in.Sel, "value", in.Value, func(a playwright.LocatorAssertions, want any, timeout *float64) error {
		return a.ToHaveValue(want, playwright.LocatorAssertionsToHaveValueOptions{Timeout: timeout})
	})
}

type expectAttrParams struct {
	Sel   tool.Selector `json:"sel" doc:"selector"`
	Name  string        `json:"name" secrets:"no" doc:"attribute"`
	Value string        `json:"value" doc:"what to expect"`
	how
}

// expectAttr is expect(locator).toHaveAttribute.
func expectAttr(c *tool.Call, in expectAttrParams) error {
	what := "attribute " + in.Name
	return in.expect(c, in.Sel, what, in.Value, func(a playwright.LocatorAssertions, want any, timeout *float64) error {
		return a.ToHaveAttribute(in.Name, want, playwright.LocatorAssertionsToHaveAttributeOptions{Timeout: timeout})
	})
}

type expectCountParams struct {
	Sel   tool.Selector `json:"sel" doc:"selector"`
	Count int           `json:"count" doc:"how many" min:"0"`
	Not   bool          `json:"not,omitempty" doc:"expect the opposite"`
}

// expectCount is expect(locator).toHaveCount.
func expectCount(c *tool.Call, in expectCountParams) error {
	sel := string(in.Sel)
	a := playwright.NewPlaywrightAssertions().Locator(tool.Frame(c.Page).Locator(sel))
	if in.Not {
		a = a.Not()
	}
	err := a.ToHaveCount(in.Count, playwright.LocatorAssertionsToHaveCountOptions{Timeout: c.Left()})
	err = unmet(c, err, fmt.Sprintf("%q", sel), "", fmt.Sprintf("%d matches", in.Count), in.Not)
	return orGone(c, err, sel, (in.Count == 0) != in.Not)
}

type expectSnapshotParams struct {
	Sel      tool.Selector `json:"sel" doc:"selector"`
	Snapshot string        `json:"snapshot" doc:"what to expect; lines that are left out may be there"`
	Not      bool          `json:"not,omitempty" doc:"expect the opposite"`
}

// expectSnapshot is expect(locator).toMatchAriaSnapshot.
func expectSnapshot(c *tool.Call, in expectSnapshotParams) error {
	is := func(a playwright.LocatorAssertions, timeout *float64) error {
		o := playwright.LocatorAssertionsToMatchAriaSnapshotOptions{Timeout: timeout}
		return a.ToMatchAriaSnapshot(in.Snapshot, o)
	}
	return expect(c, string(in.Sel), fmt.Sprintf("snapshot %q", in.Snapshot), in.Not, is)
}

// VisibleParams are the parameters of [Visible], and of its like.
type VisibleParams struct {
	Sel tool.Selector `json:"sel" doc:"selector"`
	Not bool          `json:"not,omitempty" doc:"expect the opposite"`
}

// expectState makes an assertion without a value.
func expectState(state string, is func(a playwright.LocatorAssertions, timeout *float64) error) func(*tool.Call, VisibleParams) error {
	return func(c *tool.Call, in VisibleParams) error {
		return expect(c, string(in.Sel), "to be "+state, in.Not, is)
	}
}

func isVisible(a playwright.LocatorAssertions, timeout *float64) error {
	return a.ToBeVisible(playwright.LocatorAssertionsToBeVisibleOptions{Timeout: timeout})
}

func isHidden(a playwright.LocatorAssertions, timeout *float64) error {
	return a.ToBeHidden(playwright.LocatorAssertionsToBeHiddenOptions{Timeout: timeout})
}

func isChecked(a playwright.LocatorAssertions, timeout *float64) error {
	return a.ToBeChecked(playwright.LocatorAssertionsToBeCheckedOptions{Timeout: timeout})
}

func isEnabled(a playwright.LocatorAssertions, timeout *float64) error {
	return a.ToBeEnabled(playwright.LocatorAssertionsToBeEnabledOptions{Timeout: timeout})
}

func isFocused(a playwright.LocatorAssertions, timeout *float64) error {
	return a.ToBeFocused(playwright.LocatorAssertionsToBeFocusedOptions{Timeout: timeout})
}

// expectPage is expect for a text that the page has.
func (h how) expectPage(c *tool.Call, what, text string,
	check func(a playwright.PageAssertions, want any) error) error {
	want, err := h.wanted(text)
	if err != nil {
		return err
	}
	a := playwright.NewPlaywrightAssertions().Page(c.PW)
	if h.Not {
		a = a.Not()
	}
	return unmet(c, check(a, want), "the page", "", h.words(what, text), h.Not)
}

type expectURLParams struct {
	URL string `json:"url" doc:"absolute, or relative to the base URL"`
	how
}

// expectURL is expect(page).toHaveURL.
func expectURL(c *tool.Call, in expectURLParams) error {
	return in.expectPage(c, "URL", in.URL, func(a playwright.PageAssertions, want any) error {
		return a.ToHaveURL(want, playwright.PageAssertionsToHaveURLOptions{Timeout: c.Left()})
	})
}

type expectTitleParams struct {
	Title string `json:"title" secrets:"no" doc:"what to expect"`
	how
}

// expectTitle is expect(page).toHaveTitle.
func expectTitle(c *tool.Call, in expectTitleParams) error {
	return in.expectPage(c, "title", in.Title, func(a playwright.PageAssertions, want any) error {
		return a.ToHaveTitle(want, playwright.PageAssertionsToHaveTitleOptions{Timeout: c.Left()})
	})
}

// pauseBetween is the pause between two checks.
const pauseBetween = 200 * time.Millisecond
