package tool

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/internal/browser/bundle"
	"pwpipe/provider"
)

// explainer runs in the page: it says what keeps the first of some elements
// from being used. Playwright's call log says it where it can be had, but not
// of the end of a wait, nor of elements that are not there.
//
//go:embed explain.js
var explainerText string

var explainer = strings.ReplaceAll(explainerText, "STAND_IN", bundle.StandIn)

// EditedLines is a JavaScript function of an element that is edited in place: the text in it,
// in the lines that it shows.
//
//go:embed lines.js
var EditedLines string

// Some answers of the explainer.
const (
	ready    = ""
	absent   = "absent"
	disabled = "is disabled"
	covered  = "is covered: " // and by what
)

// matter is the explainer on the direct line.
var matter = fastpath.Define("matter", "(page, sel, at) => ("+strings.TrimRight(explainer, "; \n")+")"+
	"(page.all(sel), at, (e) => globalThis[Symbol.for('pwpipe')].given.get(e)?.ref)")

// why looks at the first element that matches, without waiting: ready, absent,
// or what is the matter with it, such as "is disabled", and what may help.
func (c *Call) why(sel string) (s, hint string, err error) {
	all, at := matchesOf(sel)
	if !c.Direct(matter, all, at, &s) {
		v, err := OnAll(Frame(c.Page), all, explainer, at)
		if err != nil {
			return "", "", err
		}
		s, _ = v.(string)
	}
	if s, hint, _ = strings.Cut(s, "\n"); hint != "" {
		hint = "; " + hint
	}
	return s, hint, nil
}

// explain words a wait for an element that was in vain. The page may have more
// to say than fits into the grace that is left: then err's log has to do.
func (c *Call) explain(e *provider.Error, sel string, err error) {
	after := fmt.Sprintf("after %s on %s", pwerrors.Seconds(c.After()), c.Where())
	e.Kind = provider.KindTimeout
	deadline, _ := c.Ctx.Deadline()
	why, hint, known := askWhy(max(0, time.Until(deadline))+browser.LateGrace/2, c.lateWhy(sel), err)
	switch {
	case !known: // the page is busy
		e.Msg = fmt.Sprintf("%q was not there, or not ready, %s", sel, after)
	case why == absent:
		e.Kind, e.Msg = provider.KindFailed, fmt.Sprintf("nothing matches %q %s", sel, after)
		if hint == "" {
			hint = nearNames(Frame(c.Page), sel, browser.LateGrace/2, c.Short)
		}
		e.Msg += hint
	default:
		e.Msg = fmt.Sprintf("%q %s %s", sel, why, after) + hint
	}
}

// lateWhy asks what why does when the call's time is over, by both ways at once:
// in a document that is new, and in a browser that is still starting, the driver's
// takes long, since it has to bring Playwright's library into the page's own world.
func (c *Call) lateWhy(sel string) func() (any, error) {
	all, at := matchesOf(sel)
	return func() (any, error) {
		type answer struct {
			s   any
			err error
		}
		direct, driver := make(chan answer, 1), make(chan answer, 1)
		go func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Ctx), 4*browser.LateGrace)
			defer cancel()
			var s string
			late := *c
			if late.Ctx = ctx; late.Direct(matter, all, at, &s) {
				direct <- answer{s: s}
			} else {
				direct <- answer{err: errNoDirect}
			}
		}()
		go func() {
			s, err := OnAll(Frame(c.Page), all, explainer, at)
			driver <- answer{s, err}
		}()
		select {
		case d := <-direct:
			if d.err == nil {
				return d.s, nil
			}
			a := <-driver
			return a.s, a.err
		case a := <-driver:
			wait := browser.LateGrace / 20 // the direct answer has refs
			if a.err != nil {              // a page can break the driver's way
				wait = browser.LateGrace
			}
			select {
			case d := <-direct:
				if d.err == nil {
					return d.s, nil
				}
			case <-time.After(wait):
			}
			return a.s, a.err
		}
	}
}

var errNoDirect = errors.New("the direct line has no answer")

// reNth is the end of a selector that takes one of several matches, as first() and nth() write it.
var reNth = regexp.MustCompile(`^(.+?) *>> *nth=(-?\d+)$`)

// matchesOf splits a selector that ends in nth=: it returns the selector of all matches, and the
// index of the one that is taken. The last one has the index -1.
func matchesOf(sel string) (all string, at int) {
	if m := reNth.FindStringSubmatch(sel); m != nil {
		all = m[1]
		at, _ = strconv.Atoi(m[2])
		return all, at
	}
	return sel, 0
}

// ExplainLocator words what is the matter with an element that a script's call
// waited for, "" where the page does not tell in time: while the script has left.
func ExplainLocator(p *browser.Page, sel string, err error, left time.Duration) string {
	shown := refs.Written(sel)
	all, at := matchesOf(sel)
	within := max(browser.LateGrace/2, min(left/2, 3*time.Second))
	ask := func() (any, error) {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		var s string
		if ok, err := fastpath.Read(ctx, p, matter, all, at, &s); ok && err == nil { // it knows refs
			return s, nil
		}
		return p.PW.Locator(all).EvaluateAll(explainer, at)
	}
	switch why, hint, known := askWhy(within, ask, err); {
	case !known:
		return ""
	case why == absent:
		return "nothing matches " + shown + nearNames(p.PW.MainFrame(), sel, within, p.Short)
	default:
		return shown + " " + why + hint
	}
}

// askWhy asks the page what is the matter with an element. What Playwright saw
// while it tried goes before what the page shows now.
func askWhy(within time.Duration, ask func() (any, error), err error) (why, hint string, known bool) {
	answer := make(chan string, 1)
	known = launch.Within(within, func() error {
		v, err := ask()
		s, _ := v.(string)
		answer <- s
		return err
	})
	if known {
		why, hint, _ = strings.Cut(<-answer, "\n")
	}
	if hint != "" {
		hint = "; " + hint
	}
	seen := pwerrors.Obstacle(err)
	switch {
	case why == absent:
		return why, hint, true
	case pwerrors.IsCover(seen):
		why, known = covered+seen, true
	case seen != "" && why == ready:
		why, known = strings.TrimPrefix(seen, "element "), true
	case known && why == ready:
		why = "was found but was not ready"
		if u := (unready{}); errors.As(err, &u) {
			why = u.why
		}
	}
	return why, hint, known
}

// unready is a wait in vain whose reason the tool knows.
type unready struct {
	error
	why string
}

func (u unready) Unwrap() error { return u.error }

// Unready is err with what is said of the element where the page knows of
// nothing that is the matter with it. why goes on after its name: "has no
// option red".
func Unready(err error, why string) error {
	if err == nil {
		return nil
	}
	return unready{err, why}
}

// Failure words an error of Playwright: what failed, on what, after how long.
func Failure(err error, sel string, after time.Duration, at browser.Where) error {
	if err == nil {
		return nil
	}
	var own *provider.Error
	if errors.As(err, &own) {
		return err
	}
	head, log := pwerrors.SplitLog(pwerrors.CleanMessage(err))
	if log == "" {
		log = pwerrors.CallLog(err)
	}
	if e := refs.AsStale(nil, head); e != nil {
		e.Page, e.URL, e.Err = at.Page, at.URL, err
		return e
	}
	e := &provider.Error{Kind: provider.KindFailed, Page: at.Page, URL: at.URL, Log: log, Err: err}
	switch {
	case errors.Is(err, playwright.ErrTimeout):
		e.Kind = provider.KindTimeout
		e.Msg = fmt.Sprintf("timed out after %s on %s", pwerrors.Seconds(after), at)
	case pwerrors.IsSelectorError(head):
		e.Kind = provider.KindArgs
		e.Msg = fmt.Sprintf("%q is not a valid selector: %s", sel, pwerrors.SelectorReason(head))
	default:
		e.Msg = pwerrors.FirstLine(pwerrors.ReAPIName.ReplaceAllString(head, ""))
		if sel != "" {
			e.Msg += fmt.Sprintf(" (%q on %s)", sel, at)
		}
	}
	return e
}
