package tool

import (
	"errors"
	"fmt"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/provider"
)

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
	if e := refs.AsStale(head); e != nil {
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
