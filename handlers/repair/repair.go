// Package repair runs recorded calls again on a page that has changed: where a selector finds
// another element than it did, the selector that finds the recorded one takes its place.
package repair

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Repair compares the elements that a replayed call's selectors find with those that they found
// when the call was recorded.
type Repair struct {
	// Elements are by the name of the parameter; within a batch by the number of the step,
	// a dot and that name.
	Elements map[string]tool.About
	// Repaired lists the selectors that were replaced, by the same names.
	Repaired map[string]Repaired
}

// Repaired says which selector replaced another.
type Repaired struct {
	From, To string
	Element  tool.About
}

// With returns a context whose call is repaired. The call fills r.Repaired.
func With(ctx context.Context, r *Repair) context.Context {
	r.Repaired = map[string]Repaired{}
	return tool.WithAmend(ctx, r.amend)
}

const (
	// steady is how long another element must be the only one that is like the recorded
	// one: the page may still be loading.
	steady = 1500 * time.Millisecond
	// searching is how long a call looks for its element at most, and half of the call's own
	// time, if that is less. An act waits for three quarters of its time while the page has
	// nothing like the element, since the page may still be loading.
	searching = 8 * time.Second
	asksEvery = 100 * time.Millisecond
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
	text, before := v.Why, "; like it: "
	for _, sel := range v.Like {
		if sel != "" {
			text, before = text+before+refs.Public(sel), ", "
		}
	}
	return text
}

// amend returns a selector for the element that a parameter's selector found when it was
// recorded: the same selector, or another one. An act on a doubtful match is an error.
func (r *Repair) amend(c *tool.Call, param, given, own string) (string, error) {
	name := tool.ElementName(c.Ctx, param)
	was, known := r.Elements[name]
	if !known {
		return own, nil
	}
	now, err := settled(c, own, was)
	switch acts := provider.SpecFrom(c.Ctx).Effect == provider.Acts; {
	case err != nil:
		return "", err
	case now == verdict{}:
		return own, nil
	case now.Selector == "" && acts:
		return "", provider.Errorf(provider.KindFailed, "%q no longer finds its element for sure: %s", given,
			now.doubt()).WithHint("it was recorded on %s", words(was))
	case now.Selector == "":
		return own, nil // the tool itself says what is missing
	}
	to := refs.Public(now.Selector)
	element, _ := c.Describe(now.Selector)
	r.Repaired[name] = Repaired{From: c.Hide(given), To: c.Hide(to), Element: element}
	return now.Selector, nil
}

// settled asks until the selector is right, or the verdict has stayed the same for a while.
func settled(c *tool.Call, sel string, was tool.About) (last verdict, err error) {
	since, left := time.Now(), c.TimeLeft()
	end, late := since.Add(min(searching, left/2)), since.Add(left*3/4)
	if provider.SpecFrom(c.Ctx).Effect != provider.Acts {
		late = end
	}
	for {
		now, err := browser.Await(c.Ctx, c.Engine, c.Page, func() (verdict, error) {
			return again(tool.Frame(c.Page), sel, was)
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
		until := end
		if last.Selector == "" && last.Like[0] == "" {
			until = late
		}
		if last.Selector != "" && time.Since(since) > steady || time.Now().After(until) {
			return last, nil
		}
		if err := c.Pause(asksEvery); err != nil {
			return last, err
		}
	}
}

// again asks the engine of refs about the frames on the way of a selector, and in the last
// one about the element.
func again(f playwright.Frame, sel string, was tool.About) (v verdict, err error) {
	ways, inner := refs.Frames(sel)
	changed := false
	for i, way := range ways {
		if len(was.Frames) == len(ways) { // else it was recorded before frames were
			if v, err = againIn(f, way, was.Frames[i]); err != nil {
				return v, err
			}
			if v.Why != "" {
				v.Why = "of its frame, " + v.Why
				return v, nil
			}
		}
		if v.Selector != "" {
			ways[i], changed = v.Selector, true
		}
		if f, err = frameAt(f, ways[i]); err != nil || f == nil {
			return verdict{Why: "its frame is not there"}, err
		}
	}
	v, err = againIn(f, inner, was)
	switch {
	case err != nil || v.Why != "":
		return v, err
	case v.Selector != "":
		inner, changed = v.Selector, true
	}
	if !changed {
		return verdict{}, nil
	}
	return verdict{Selector: strings.Join(append(ways, inner), refs.EnterFrame)}, nil
}

// frameAt returns the frame of an iframe element, nil for none.
func frameAt(f playwright.Frame, iframe string) (playwright.Frame, error) {
	owner, err := f.QuerySelector(iframe)
	if err != nil || owner == nil {
		return nil, err
	}
	defer func() { _ = owner.Dispose() }()
	return owner.ContentFrame()
}

// againIn asks the engine of refs in one frame.
func againIn(f playwright.Frame, sel string, was tool.About) (v verdict, err error) {
	question := pwerrors.EncodeLine(map[string]any{"was": was, "sel": sel})
	text, err := tool.TextOf(f.QuerySelector("ref=!again " + string(question)))
	if err != nil || text == "" {
		return verdict{Why: "the page does not answer"}, err
	}
	err = json.Unmarshal([]byte(text), &v)
	return v, err
}

func words(a tool.About) string {
	what := cmp.Or(a.Role, a.Tag)
	if name := cmp.Or(a.Name, a.Text, a.TestID, a.ID); name != "" {
		what += " " + string(pwerrors.EncodeLine(name))
	}
	return what
}
