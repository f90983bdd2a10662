package scripts

import (
	"errors"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/tool"
	"pwpipe/handlers/words"
	"pwpipe/internal/playscript"
)

// explain says what is the matter with an element that a script waited for in
// vain, or puts right what the browser said of a URL.
func explain(s *browser.Session, about playscript.About) string {
	p := identified(s, about.Page)
	switch {
	case p == nil || !about.Main:
		return ""
	case about.URL != "":
		said := &playwright.Error{Name: "Error", Message: about.Said}
		err := guard.ScriptFailure(s, p.PW, about.URL, said)
		if err == nil || errors.Is(err, said) {
			return ""
		}
		return err.Error()
	}
	_, log := words.SplitLog(about.Said)
	return tool.ExplainLocator(s.Browser, p.PW.Locator(about.Selector), about.Selector, errors.New(about.Said+log))
}
