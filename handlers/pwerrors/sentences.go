package pwerrors

import (
	"slices"
	"strings"
)

// Error texts of single calls, from Playwright and the browsers behind it.

// says reports whether an error contains one of these texts.
func says(err error, sentences ...string) bool {
	return err != nil && contains(err.Error(), sentences...)
}

func contains(text string, sentences ...string) bool {
	return slices.ContainsFunc(sentences, func(s string) bool { return strings.Contains(text, s) })
}

// IsAborted: a navigation was given up: it is a download, has no content, or another
// one came. The driver may know which.
func IsAborted(err error) bool { return says(err, "ERR_ABORTED", "Download is starting") }

// IsBetweenDocuments: the page is just changing from one document to another.
func IsBetweenDocuments(err error) bool { return says(err, "Not attached to an active page") }

// IsInterrupted: another navigation came in between.
func IsInterrupted(err error) bool { return says(err, "interrupted by another navigation") }

// IsGone: the target or execution context of a DevTools command does not exist any
// more.
func IsGone(err error) bool {
	return says(err, "Could not find object", "Cannot find context", "Cannot find default execution context", "uniqueContextId not found")
}

// IsInvalidURL: the URL is invalid.
func IsInvalidURL(err error) bool { return says(err, "invalid URL") }

// IsLeft: the page left the document in which a script ran.
func IsLeft(err error) bool {
	return says(err, "Execution context was destroyed", "Inspected target navigated", "Promise was collected")
}

// IsNoField: the element takes no text.
func IsNoField(err error) bool { return says(err, "Node is not an <input>") }

// IsNoFileField: the element takes no files.
func IsNoFileField(err error) bool { return says(err, "Node is not an HTMLInputElement") }

// IsNoHost: the host's name is not known.
func IsNoHost(err error) bool { return says(err, "ERR_NAME_NOT_RESOLVED") }

// IsNoStorage: the document may not store anything.
func IsNoStorage(err error) bool { return says(err, "SecurityError", "Access is denied") }

// IsNoTouch: the context has no touch screen.
func IsNoTouch(err error) bool { return says(err, "does not support tap") }

// IsNotTracing: there is no trace to end.
func IsNotTracing(err error) bool { return says(err, "Must start tracing", "not started") }

// IsPast: a clock can't be set back.
func IsPast(err error) bool { return says(err, "Cannot fast-forward to the past") }

// IsRefused: nothing listens at the URL.
func IsRefused(err error) bool { return says(err, "ERR_CONNECTION_REFUSED") }

// IsTracing: a trace is running already.
func IsTracing(err error) bool { return says(err, "already") }

// IsUnknownKey: there is no key of that name.
func IsUnknownKey(err error) bool { return says(err, "Unknown key") }

// IsUnknownPermission: there is no permission of that name.
func IsUnknownPermission(err error) bool { return says(err, "Unknown permission") }
