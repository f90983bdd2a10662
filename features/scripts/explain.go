package scripts

import (
	"errors"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/features/endpoint"
	"pwpipe/features/scripts/scripthost"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
)

// vanished explains that a script lost its page because the page went away just then,
// for example with its renderer, which the driver notices a little later.
func vanished(p *browser.Page, err error) error {
	select {
	case <-p.Gone:
	case <-p.Engine.Gone:
	case <-time.After(lostTime):
		return err
	}
	return p.Lost()
}

// explain explains why an element for which a script waited in vain was not usable, or
// corrects the browser's error for a URL.
func explain(s *browser.Session, about scripthost.About) string {
	p := endpoint.Identified(s, about.Page)
	switch {
	case p == nil || !about.Main || refs.Bound(about.Selector) != nil:
		return ""
	case about.URL != "":
		fastpath.Ahead(s) // the driver may not know yet where a redirect led
		fastpath.CatchUp(p)
		said := &playwright.Error{Name: "Error", Message: about.Said}
		err := guard.ScriptFailure(s, p.PW, about.URL, said)
		if err == nil || errors.Is(err, said) {
			return ""
		}
		return err.Error()
	}
	return tool.ExplainLocator(p, about.Selector, pwerrors.Logged(about.Said), time.Duration(about.Left)*time.Millisecond)
}
