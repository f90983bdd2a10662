package handlers

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// explainer runs in the page: it says what keeps the first of some elements
// from being used. playwright-go drops Playwright's call log, which would.
//
//go:embed explain.js
var explainer string

// What the explainer says where there is nothing to say.
const (
	ready  = ""
	absent = "absent"
)

// why looks at the first element that matches, without waiting: ready, absent,
// or what is the matter with it, such as "is disabled".
func (c *call) why(sel string) (string, error) {
	v, err := c.frame().EvalOnSelectorAll(sel, explainer)
	s, _ := v.(string)
	return s, err
}

// explain words a wait for an element that was in vain.
func (c *call) explain(e *provider.Error, sel string) {
	after := fmt.Sprintf("after %s on %s", seconds(provider.RequestFrom(c.ctx).Timeout), c.where())
	why := make(chan string, 1)
	known := within(lateGrace/2, func() error {
		s, err := c.why(sel)
		why <- s
		return err
	})
	if !known { // the page is busy
		e.Kind, e.Msg = provider.KindTimeout, fmt.Sprintf("%q was not there, or not ready, %s", sel, after)
		return
	}
	switch why := <-why; why {
	case absent:
		e.Kind, e.Msg = provider.KindFailed, fmt.Sprintf("nothing matches %q %s", sel, after)
	case ready:
		e.Kind, e.Msg = provider.KindTimeout, fmt.Sprintf("%q was found but was not ready %s", sel, after)
	default:
		e.Kind, e.Msg = provider.KindTimeout, fmt.Sprintf("%q %s %s", sel, strings.TrimSpace(why), after)
	}
}

// explainLocator words what is the matter with an element that a script's call
// waited for, "" where the page does not tell in time.
func explainLocator(l playwright.Locator, sel string) string {
	why := make(chan string, 1)
	if !within(lateGrace/2, func() error {
		v, err := l.EvaluateAll(explainer)
		s, _ := v.(string)
		why <- s
		return err
	}) {
		return ""
	}
	sel = strings.ReplaceAll(sel, "internal:", "") // Playwright's word for its own engines
	switch why := <-why; why {
	case absent:
		return "nothing matches " + sel
	case ready:
		return sel + " was found but was not ready"
	default:
		return sel + " " + strings.TrimSpace(why)
	}
}
