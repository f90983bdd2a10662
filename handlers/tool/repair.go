package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/provider"
)

// Repair compares the elements that a replayed call's selectors find with those that they found
// when the call was recorded.
type Repair struct {
	// Elements are by the name of the parameter; within a batch by the number of the step,
	// a dot and that name.
	Elements map[string]About
	// Repaired lists the selectors that were replaced, by the same names.
	Repaired map[string]Repaired
}

// Repaired says which selector replaced another.
type Repaired struct {
	From, To string
	Element  About
}

type repairKey struct{}

// WithRepair returns a context whose call is repaired. The call fills r.Repaired.
func WithRepair(ctx context.Context, r *Repair) context.Context {
	r.Repaired = map[string]Repaired{}
	return context.WithValue(ctx, repairKey{}, r)
}

const (
	// steady is how long another element must be the only one that is like the recorded
	// one: the page may still be loading.
	steady = 1500 * time.Millisecond
	// searching is how long a call looks for its element at most. It takes half of the call's
	// own time, if that is less.
	searching = 8 * time.Second
)

// verdict is the answer of the engine of refs about a selector and a recorded element. The zero
// verdict says that the selector is right. Otherwise Selector finds the element, or Why says why
// none does.
type verdict struct {
	Selector string `json:"selector"`
	Why      string `json:"why"`
	// Like lists the elements most like the recorded one, if none is certain.
	Like [3]string `json:"like"`
}

// doubt says why no element is certain, and which ones are alike.
func (v verdict) doubt() string {
	text := v.Why
	for i, sel := range v.Like {
		switch {
		case sel == "":
		case i == 0:
			text += "; like it: " + refs.Public(sel)
		default:
			text += ", " + refs.Public(sel)
		}
	}
	return text
}

// repaired returns a selector for the element that a parameter's selector found when it was
// recorded: the same selector, or another one. An act on a doubtful match is an error.
func (c *Call) repaired(param, given, own string) (string, error) {
	r, _ := c.Ctx.Value(repairKey{}).(*Repair)
	if r == nil {
		return own, nil
	}
	name := elementName(c.Ctx, param)
	was, known := r.Elements[name]
	if !known {
		return own, nil
	}
	way, inner := refs.InFrame(own)
	now, err := c.settled(way, inner, was)
	switch acts := provider.SpecFrom(c.Ctx).Effect == provider.Acts; {
	case err != nil:
		return "", err
	case now == verdict{}:
		return own, nil
	case now.Selector == "" && acts:
		return "", provider.Errorf(provider.KindFailed, "%q no longer finds its element for sure: %s", given,
			now.doubt()).WithHint("it was recorded on %s", was.words())
	case now.Selector == "":
		return own, nil // the tool itself says what is missing
	}
	to := refs.Public(now.Selector)
	if way != "" {
		to, now.Selector = way+refs.EnterFrame+to, way+refs.EnterFrame+now.Selector
	}
	element, _ := c.about(now.Selector)
	r.Repaired[name] = Repaired{From: c.Hide(given), To: c.Hide(to), Element: element}
	return now.Selector, nil
}

// elementName is the name that a recorded element has: see [Repair].
func elementName(ctx context.Context, param string) string {
	name, _ := provider.ParamFrom(ctx, param)
	if step := provider.RequestFrom(ctx).Step(); step > 0 {
		return fmt.Sprintf("%d.%s", step, name)
	}
	return name
}

// settled asks until the selector is right, or the verdict has stayed the same for a while.
func (c *Call) settled(way, inner string, was About) (last verdict, err error) {
	end := time.Now().Add(min(searching, c.TimeLeft()/2))
	since := time.Now()
	for {
		now, err := browser.Await(c.Ctx, c.Engine, c.Page, func() (verdict, error) {
			return again(Frame(c.Page), way, inner, was)
		})
		switch {
		case err == nil && now == verdict{}:
			return now, nil
		case c.Ctx.Err() != nil, err != nil && pwerrors.IsClosed(err):
			return last, err
		case err != nil: // as the page goes to another document, for one
			now.Why = "the page does not answer: " + err.Error()
		}
		if now != last {
			last, since = now, time.Now()
		}
		if last.Selector != "" && time.Since(since) > steady || time.Now().After(end) {
			return last, nil
		}
		if err := c.Pause(margin); err != nil {
			return last, err
		}
	}
}

// again asks the engine of refs, in the frame that way leads to.
func again(f playwright.Frame, way, sel string, was About) (v verdict, err error) {
	if way != "" {
		owner, err := f.QuerySelector(way)
		if err != nil || owner == nil {
			return verdict{Why: "its frame is not there"}, err
		}
		defer func() { _ = owner.Dispose() }()
		inside, err := owner.ContentFrame()
		if err != nil || inside == nil {
			return verdict{Why: "its frame is not there"}, err
		}
		f = inside
	}
	question := pwerrors.EncodeLine(map[string]any{"was": was, "sel": sel})
	answer, err := f.QuerySelector("ref=!again " + string(question))
	if err != nil || answer == nil {
		return verdict{Why: "the page does not answer"}, err
	}
	defer func() { _ = answer.Dispose() }()
	text, err := answer.TextContent()
	if err == nil {
		err = json.Unmarshal([]byte(text), &v)
	}
	return v, err
}

// words describes an element for people.
func (a About) words() string {
	what := a.Role
	if what == "" {
		what = a.Tag
	}
	for _, name := range []string{a.Name, a.Text, a.TestID, a.ID} {
		if name != "" {
			return what + " " + string(pwerrors.EncodeLine(name))
		}
	}
	return what
}
