package scripts

import (
	"errors"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/endpoint"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/internal/script/scripthost"
)

// vanished is why a script did not find its page, if that went away just then: with
// its renderer, say, which the driver notices a little later.
func vanished(p *browser.Page, err error) error {
	select {
	case <-p.Gone:
	case <-p.Engine.Gone:
	case <-time.After(lostTime):
		return err
	}
	return p.Lost()
}

// explain says what is the matter with an element that a script waited for in
// vain, or puts right what the browser said of a URL.
func explain(s *browser.Session, about scripthost.About) string {
	p := endpoint.Identified(s, about.Page)
	switch {
	case p == nil || !about.Main || refs.Bound(about.Selector) != nil:
		return ""
	case about.URL != "":
		fastpath.Ahead(s) // the driver may be yet to hear where a redirect led
		fastpath.CatchUp(p)
		said := &playwright.Error{Name: "Error", Message: about.Said}
		err := guard.ScriptFailure(s, p.PW, about.URL, said)
		if err == nil || errors.Is(err, said) {
			return ""
		}
		return err.Error()
	}
	return tool.ExplainLocator(s.Browser, p.PW.Locator(about.Selector), about.Selector, pwerrors.Logged(about.Said), time.Duration(about.Left)*time.Millisecond)
}
