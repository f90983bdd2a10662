package handlers

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/secrets"
	"pwpipe/provider"
)

// cleanMessage is Playwright's own message without the wrappers that
// playwright-go puts around it.
func cleanMessage(err error) string {
	var e *playwright.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return strings.TrimPrefix(err.Error(), "playwright: ")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// splitLog parts a message from the call log that Playwright appends.
func splitLog(msg string) (head, log string) {
	head, log, _ = strings.Cut(msg, "Call log:")
	return strings.TrimSpace(head), strings.TrimSpace(log)
}

// logMark begins the stack of an error that is its call's log: start.cjs of
// internal/driver puts it there.
const logMark = "Call log:\n"

// callLog is what Playwright noted about a call that failed, "" where it is not
// handed out. It may quote the page.
func callLog(err error) string {
	var e *playwright.Error
	if !errors.As(err, &e) {
		return ""
	}
	log, ok := strings.CutPrefix(e.Stack, logMark)
	if !ok {
		return ""
	}
	return reTyped.ReplaceAllString(log, "$1(…)")
}

// reTyped finds what was typed, which is nobody's business.
var reTyped = regexp.MustCompile(`(?m)\b(fill|elementHandle\.type|elementHandle\.press)\(".*$`)

// reObstacle finds the lines of a log that say why an element could not be
// used, without what stands before them in a list.
var reObstacle = regexp.MustCompile(`(?m)^[\s\d×-]*(<.* intercepts pointer events|element is (?:not |outside).*)$`)

// obstacle is the last reason in the log of a call why an element could not be
// used, "" if there is none.
func obstacle(err error) string {
	all := reObstacle.FindAllStringSubmatch(callLog(err), -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

var reAPIName = regexp.MustCompile(`^(\w+\.\w+|Error|TimeoutError): `)

// failure words an error of Playwright: what failed, on what, after how long.
func failure(err error, sel string, after time.Duration, at where) error {
	if err == nil {
		return nil
	}
	var own *provider.Error
	if errors.As(err, &own) {
		return err
	}
	head, log := splitLog(cleanMessage(err))
	if log == "" {
		log = callLog(err)
	}
	if e := asStale(head); e != nil {
		e.Page, e.URL, e.Err = at.page, at.url, err
		return e
	}
	e := &provider.Error{Kind: provider.KindFailed, Page: at.page, URL: at.url, Log: log, Err: err}
	switch {
	case errors.Is(err, playwright.ErrTimeout):
		e.Kind = provider.KindTimeout
		e.Msg = fmt.Sprintf("timed out after %s on %s", seconds(after), at)
	case isSelectorError(head):
		e.Kind = provider.KindArgs
		e.Msg = fmt.Sprintf("%q is not a valid selector: %s", sel, selectorReason(head))
	default:
		e.Msg = firstLine(reAPIName.ReplaceAllString(head, ""))
		if sel != "" {
			e.Msg += fmt.Sprintf(" (%q on %s)", sel, at)
		}
	}
	return e
}

func isSelectorError(head string) bool {
	return strings.Contains(head, "is not a valid selector") || strings.Contains(head, "is not a valid XPath") ||
		strings.Contains(head, "while parsing selector") || strings.Contains(head, "while parsing css selector") ||
		strings.Contains(head, "Unknown engine") || strings.Contains(head, "Unexpected token \"\"") ||
		strings.Contains(head, "Malformed selector")
}

func selectorReason(head string) string {
	line := firstLine(reAPIName.ReplaceAllString(head, ""))
	if i := strings.LastIndex(line, "Error: "); i >= 0 {
		line = line[i+len("Error: "):]
	}
	return line
}

// seconds words a duration as the wire gives it: "10 s", "0.5 s".
func seconds(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", d.Seconds()), "0"), ".") + " s"
}

// where is the page that an error is about, secrets masked.
type where struct{ page, url string }

func (w where) String() string {
	if w.url == "" {
		return w.page
	}
	return fmt.Sprintf("%s (%s)", w.page, secrets.Shorten(w.url, 200))
}
