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

// maxWait is ten minutes: a model may take as long to write an answer.
const maxWait = 10 * time.Minute

// WaitTools wait for texts, for minutes if need be.
func WaitTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Reach.Waits("wait-text", "Wait for text",
			"Wait until an element holds a text, up to 10 minutes with timeout; the element's text").Within(30*time.Second), waitText),
		// Its own timeout decides; the deadline is above the longest one.
		tool.Alias(tool.MCP.Second("browser_wait_for_element", "Wait for element",
			"Wait until an element is there, with a text if given").Within(615*time.Second),
			"wait-text", tool.Answer(waitedFor), tool.As("sel", "selector"),
			provider.As{Param: "text", Doc: "text", Optional: true}, provider.As{Param: "exact", Default: "false"},
			provider.As{Param: "timeout", Default: "30000"}, provider.As{Param: "pollInterval", Default: "1000"}),
	}
}

type waitTextParams struct {
	Sel          tool.Selector `json:"sel" doc:"selector"`
	Text         *string       `json:"text" doc:"text to wait for; case and kinds of space do not count"`
	Exact        bool          `json:"exact,omitempty" doc:"whole text, case and all" alias:"only"`
	Timeout      float64       `json:"timeout,omitempty" doc:"milliseconds" min:"1" max:"600000" alias:"only"`
	PollInterval float64       `json:"pollInterval,omitempty" doc:"milliseconds" default:"250" min:"10" max:"60000" alias:"only"`
}

// waitText waits until the text is there, or the timeout has passed: the request's, or
// the one that an alias takes itself.
func waitText(c *tool.Call, in waitTextParams) (string, error) {
	ms := func(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }
	after := ms(in.Timeout)
	if after == 0 {
		after = min(provider.RequestFrom(c.Ctx).Deadline, maxWait)
	}
	return poll(c, in, after, ms(in.PollInterval))
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

// lookScript returns "=" and the text that matches, or the number of elements and the
// last one's text. It folds spaces as find does.
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

// poll looks at intervals until it finds what is wanted. It continues over navigations: a
// page that is being replaced is only not there yet.
func poll(c *tool.Call, in waitTextParams, after, every time.Duration) (string, error) {
	// It ends before the deadline, whose error says less.
	ctx, cancel := context.WithTimeout(c.Ctx, min(after, c.TimeLeft()))
	defer cancel()
	var wanted any // nil for any text
	if in.Text != nil {
		wanted = *in.Text
	}
	sel, last := string(in.Sel), "0 "
	var failure error // of the last look
	for {
		v, err := c.PW.Locator(sel).EvaluateAll(lookScript, []any{wanted, in.Exact})
		got, _ := v.(string)
		switch {
		case err == nil && strings.HasPrefix(got, "="):
			return got[1:], nil
		case err == nil:
			last, failure = got, nil
		case pwerrors.IsClosed(err), pwerrors.IsSelectorError(pwerrors.CleanMessage(err)):
			return "", c.Fail(err, sel)
		default:
			failure = err
		}
		if err := guard.Strayed(c.Ctx, c.Page); err != nil {
			return "", err
		}
		select {
		case <-ctx.Done():
			if c.Ctx.Err() != nil && !errors.Is(c.Ctx.Err(), context.DeadlineExceeded) {
				return "", c.Ctx.Err()
			}
			if failure != nil {
				return "", c.Fail(failure, sel)
			}
			return "", notThere(c, in, last, after)
		case <-time.After(every):
		}
	}
}

// notThere is the error of a wait that timed out: what was there instead.
func notThere(c *tool.Call, in waitTextParams, last string, after time.Duration) error {
	n, text, _ := strings.Cut(last, " ")
	at := c.Where()
	msg := fmt.Sprintf("nothing matches %q", in.Sel)
	switch {
	case n != "0" && in.Text != nil:
		msg = fmt.Sprintf("%q does not hold the text %q, but %q", in.Sel, c.Short(*in.Text, 80), c.Short(text, 80))
	case in.Text != nil:
		msg += fmt.Sprintf(" with the text %q", c.Short(*in.Text, 80))
	}
	e := provider.Errorf(provider.KindTimeout, "%s after %s on %s", msg, pwerrors.Seconds(after), at)
	e.Page, e.URL, e.Err = at.Page, at.URL, playwright.ErrTimeout
	return e
}
