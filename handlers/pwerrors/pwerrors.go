// Package pwerrors recognises Playwright's error texts, and formats durations.
// Check it when Playwright is upgraded.
package pwerrors

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/browser/cdp"
)

// IsClosed recognises the errors of Playwright, and of our own connection to the
// browser, that mean "it is gone".
func IsClosed(err error) bool {
	return errors.Is(err, playwright.ErrTargetClosed) || errors.Is(err, cdp.ErrGone) || says(err,
		"Connection closed", "has been closed", "could not send message", "Target crashed", "Page crashed")
}

// CleanMessage is Playwright's own message without the wrappers that
// playwright-go puts around it.
func CleanMessage(err error) string {
	var e *playwright.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return strings.TrimPrefix(err.Error(), "playwright: ")
}

// FirstLine is a text's first line, trimmed.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// SplitLog splits a message from the call log that Playwright appends.
func SplitLog(msg string) (head, log string) {
	head, log, _ = strings.Cut(msg, "Call log:")
	return strings.TrimSpace(head), strings.TrimSpace(log)
}

// logMark separates an error of playwright-go from its call's log.
const logMark = "\nCall log:\n"

// Logged is an error as Playwright's own client has it: with the call's log in its
// message.
func Logged(msg string) error {
	head, log := SplitLog(msg)
	return fmt.Errorf("%w%s%s", &playwright.Error{Name: "Error", Message: head}, logMark, log)
}

// CallLog is Playwright's log of a failed call, "" if it must not be given out. It may
// quote the page.
func CallLog(err error) string {
	var e *playwright.Error
	if !errors.As(err, &e) {
		return ""
	}
	_, log, _ := strings.Cut(err.Error(), e.Message+logMark)
	return reTyped.ReplaceAllString(log, "$1(…)")
}

// Clicked reports whether the mouse button or the finger had gone up when a call ended:
// then the call waited for the page to which the click leads.
func Clicked(err error) bool { return reClicked.MatchString(lastTry(err)) }

// Clicking reports whether the mouse or the finger was in action when a call ended.
func Clicking(err error) bool { return reClicking.MatchString(lastTry(err)) }

// lastTry is the log of a call since its last try that did nothing.
func lastTry(err error) string {
	log := CallLog(err)
	if all := reUndone.FindAllStringIndex(log, -1); len(all) > 0 {
		return log[all[len(all)-1][1]:]
	}
	return log
}

var reUndone = regexp.MustCompile(`intercepts pointer events|element was detached from the DOM, retrying`)

var reClicking = regexp.MustCompile(`\bperforming (click|dblclick|tap) action\b`)

var reClicked = regexp.MustCompile(`\b(click|dblclick|tap) action done\b`)

// Pressing reports whether a key was sent, or about to be, when a call ended.
func Pressing(err error) bool { return rePressing.MatchString(CallLog(err)) }

var rePressing = regexp.MustCompile(`\belementHandle\.press\(`)

// Acting reports whether an act was under way on its element when a call ended, past all waits.
func Acting(err error) bool { return reActing.MatchString(CallLog(err)) }

var reActing = regexp.MustCompile(
	`\b(performing [\w ]+ action\b|elementHandle\.(press|type)\(|selected specified option)`)

// reTyped finds typed text, which must not be given out.
var reTyped = regexp.MustCompile(`(?m)\b(fill|elementHandle\.type|elementHandle\.press)\(".*$`)

// reObstacle finds the lines of a log that say why an element could not be used,
// without their list markers.
var reObstacle = regexp.MustCompile(`(?m)^[\s\d×-]*(<.* intercepts pointer events|element is (?:not |outside).*)$`)

// Obstacle is the last reason in a call's log why an element could not be used, "" if
// there is none.
func Obstacle(err error) string {
	all := reObstacle.FindAllStringSubmatch(CallLog(err), -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// IsCover reports whether an obstacle is another element above the one that is meant.
func IsCover(obstacle string) bool { return strings.HasSuffix(obstacle, "intercepts pointer events") }

// ReAPIName finds the name of the call at the beginning of Playwright's messages.
var ReAPIName = regexp.MustCompile(`^(\w+\.\w+|Error|TimeoutError): `)

// IsSelectorError recognises the messages about invalid selectors.
func IsSelectorError(head string) bool {
	return contains(head, "is not a valid selector", "is not a valid XPath", "while parsing selector",
		"while parsing css selector", "Unknown engine", "Unexpected token \"\"", "Malformed selector")
}

// SelectorReason is the reason in such a message.
func SelectorReason(head string) string {
	line := FirstLine(ReAPIName.ReplaceAllString(head, ""))
	if i := strings.LastIndex(line, "Error: "); i >= 0 {
		line = line[i+len("Error: "):]
	}
	return line
}

// Seconds formats a duration as the wire has it: "10 s", "0.5 s".
func Seconds(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", d.Seconds()), "0"), ".") + " s"
}

// EncodeLine encodes JSON for a line of the log.
func EncodeLine(v any) json.RawMessage {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings, and JSON that was read before
	return json.RawMessage(strings.TrimSpace(b.String()))
}

// WholeNumber is a number of JSON or JavaScript as an int, 0 if it is none.
func WholeNumber(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case float64:
		return int(n)
	}
	return 0
}
