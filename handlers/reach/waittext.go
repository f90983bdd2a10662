package reach

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/guard"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// longestWait is seed 001's: ten minutes, as long as an answer may be written.
const longestWait = 10 * time.Minute

// WaitTools wait for texts, for minutes if need be.
func WaitTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Reach.Waits("wait-text", "Wait for text",
			"Wait until an element holds a text, up to 10 minutes with timeout; the element's text").Within(30*time.Second), waitText),
		// Its own timeout decides; the deadline is above the longest one.
		tool.Alias(tool.MCP.Second("browser_wait_for_element", "Wait for element",
			"Wait until an element is there and, if asked for, holds a text").Within(615*time.Second),
			"wait-text", tool.Answer(waitedFor), tool.As("sel", "selector"),
			provider.As{Param: "text", Doc: "text that the element must hold", Optional: true}, provider.As{Param: "exact", Default: "false"},
			provider.As{Param: "timeout", Default: "30000"}, provider.As{Param: "pollInterval", Default: "1000"}),
	}
}

type waitTextParams struct {
	Sel          tool.Selector `json:"sel" doc:"selector"`
	Text         *string       `json:"text" doc:"text to wait for; case and kinds of space do not count"`
	Exact        bool          `json:"exact,omitempty" doc:"the element's whole text, case and all" alias:"only"`
	Timeout      float64       `json:"timeout,omitempty" doc:"milliseconds" min:"1" max:"600000" alias:"only"`
	PollInterval float64       `json:"pollInterval,omitempty" doc:"milliseconds between two looks" default:"250" min:"10" max:"60000" alias:"only"`
}

// waitText looks until the text is there, or the caller's time is over: the request's,
// or that of an alias's own parameter.
func waitText(c *tool.Call, in waitTextParams) (string, error) {
	ms := func(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }
	after := ms(in.Timeout)
	if after == 0 {
		after = min(provider.RequestFrom(c.Ctx).Deadline, longestWait)
	}
	return poll(c, wanted{string(in.Sel), in.Text, in.Exact}, after, ms(in.PollInterval))
}

type waited struct {
	Success     bool    `json:"success" doc:"true"`
	MatchedText *string `json:"matchedText,omitempty" doc:"text of the element, if a text was asked for"`
}

func waitedFor(_ *tool.Call, in waitTextParams, text string) (waited, error) {
	if in.Text == nil {
		return waited{Success: true}, nil
	}
	return waited{true, &text}, nil
}

// wanted is what a long wait looks for.
type wanted struct {
	sel   string
	text  *string // nil for any
	exact bool
}

// lookScript says how many elements there are and which text matches; spaces
// count as find counts them.
const lookScript = `(all, [text, exact]) => {
	const fold = (s) => s.replace(/[\u00a0\u2000-\u200b\u202f\u205f\u3000]/g, " ").replace(/ {2,}/g, " ");
	const wanted = text == null ? null : exact ? fold(text) : fold(text).toLowerCase();
	let last = "";
	for (const el of all) {
		last = (el.textContent ?? "").trim();
		const folded = exact ? fold(last) : fold(last).toLowerCase();
		if (wanted === null || (exact ? folded === wanted : folded.includes(wanted))) return "=" + last;
	}
	return all.length + " " + last;
}`

// poll looks again and again until it finds what is wanted. It goes on over
// navigations: a page that is being replaced is just not there yet.
func poll(c *tool.Call, w wanted, after, every time.Duration) (string, error) {
	left := time.Duration(*c.Left() * float64(time.Millisecond)) // our own words come before the deadline's
	ctx, cancel := context.WithTimeout(c.Ctx, min(after, left))
	defer cancel()
	var text any
	if w.text != nil {
		text = *w.text
	}
	last := "0 "
	var broken error // of the last look
	for {
		v, err := c.PW.Locator(w.sel).EvaluateAll(lookScript, []any{text, w.exact})
		got, _ := v.(string)
		switch {
		case err == nil && strings.HasPrefix(got, "="):
			return got[1:], nil
		case err == nil:
			last, broken = got, nil
		case pwerrors.IsClosed(err), pwerrors.IsSelectorError(pwerrors.CleanMessage(err)):
			return "", c.Fail(err, w.sel)
		default:
			broken = err
		}
		if err := guard.Strayed(c.Ctx, c.Page); err != nil {
			return "", err
		}
		select {
		case <-ctx.Done():
			if c.Ctx.Err() != nil && !errors.Is(c.Ctx.Err(), context.DeadlineExceeded) {
				return "", c.Ctx.Err()
			}
			if broken != nil {
				return "", c.Fail(broken, w.sel)
			}
			return "", notThere(c, w, last, after)
		case <-time.After(every):
		}
	}
}

// notThere words a wait in vain: what was there instead.
func notThere(c *tool.Call, w wanted, last string, after time.Duration) error {
	n, text, _ := strings.Cut(last, " ")
	at := c.Where()
	msg := fmt.Sprintf("nothing matches %q", w.sel)
	switch {
	case n != "0" && w.text != nil:
		msg = fmt.Sprintf("%q does not hold the text %q, but %q", w.sel, c.Short(*w.text, 80), c.Short(text, 80))
	case w.text != nil:
		msg += fmt.Sprintf(" with the text %q", c.Short(*w.text, 80))
	}
	e := provider.Errorf(provider.KindTimeout, "%s after %s on %s", msg, pwerrors.Seconds(after), at)
	e.Page, e.URL, e.Err = at.Page, at.URL, playwright.ErrTimeout
	return e
}
