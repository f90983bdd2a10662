package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/sourcegraph/jsonrpc2"

	"pwpipe/provider/internal/rawjson"
)

// Kind is the kind of failure of an [Error]. The table kinds maps it to every dialect.
type Kind string

// The kinds of failure.
const (
	KindParse       Kind = "parse"           // the line is not JSON
	KindInvalid     Kind = "invalid request" // JSON, but not a request
	KindUnknown     Kind = "unknown method"  // no tool of that name
	KindArgs        Kind = "bad arguments"   // a parameter is unknown, missing or mistyped
	KindInternal    Kind = "internal"        // a fault of pwpipe itself
	KindFailed      Kind = "failed"          // the tool ran and could not do it
	KindTimeout     Kind = "timed out"       // the deadline passed
	KindNoTarget    Kind = "no such target"  // no such page, context or session
	KindBlocked     Kind = "blocked"         // refused by policy
	KindUnavailable Kind = "unavailable"     // browser or driver can't be had
	KindCancelled   Kind = "cancelled"       // the caller took the request back
	KindLimit       Kind = "over a limit"    // too many, too much
)

// kinds maps kinds to dialects. Nothing else does.
var kinds = map[Kind]struct{ rpcCode, httpStatus int }{
	KindParse:       {jsonrpc2.CodeParseError, 400},
	KindInvalid:     {jsonrpc2.CodeInvalidRequest, 400},
	KindUnknown:     {jsonrpc2.CodeMethodNotFound, 404},
	KindArgs:        {jsonrpc2.CodeInvalidParams, 400},
	KindInternal:    {jsonrpc2.CodeInternalError, 500},
	KindFailed:      {-32000, 422},
	KindTimeout:     {-32001, 504},
	KindNoTarget:    {-32002, 404},
	KindBlocked:     {-32003, 403},
	KindUnavailable: {-32004, 503},
	KindCancelled:   {-32005, 499},
	KindLimit:       {-32006, 429},
}

// Kinds are all kinds of failure.
func Kinds() []Kind { return slices.Collect(maps.Keys(kinds)) }

// RPCCode is the JSON-RPC 2.0 error code of the kind.
func (k Kind) RPCCode() int { return kinds[k].rpcCode }

// HTTPStatus is the HTTP status code of the kind.
func (k Kind) HTTPStatus() int { return kinds[k].httpStatus }

// Error is a failure in the form for callers. Msg is one clear line: what failed, on
// what, after how long. Hint says what to do next; it is part of the line.
type Error struct {
	Kind Kind   `json:"kind"`
	Msg  string `json:"-"`
	Hint string `json:"hint,omitempty"`
	Page string `json:"page,omitempty"` // handle of the page, where one was used
	URL  string `json:"url,omitempty"`  // its URL when the tool failed
	// RetryAfter is the time in seconds after which the same call may succeed, 0 if
	// unknown.
	RetryAfter int    `json:"retry_after,omitempty"`
	Log        string `json:"log,omitempty"` // Playwright's call log, never part of the line
	Err        error  `json:"-"`             // what is behind it

	by *Tool // the tool that failed, nil for an error before a tool ran
}

// Error is the error line of the plain dialect.
func (e *Error) Error() string {
	line := e.Msg
	if e.Hint != "" {
		line += "; " + e.Hint
	}
	return oneLine(line)
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an [Error] of a kind. %w works with errors.Is and errors.As.
func Errorf(kind Kind, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Msg: err.Error(), Err: errors.Unwrap(err)}
}

// WithHint adds what the caller can do next.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// from stores the tool that failed.
func (e *Error) from(tool *Tool) *Error {
	e.by = tool
	return e
}

// AsError turns any error into an [Error]. Only here do errors of handlers and contexts
// get their kind.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Kind: KindTimeout, Msg: "timed out", Err: err}
	case errors.Is(err, context.Canceled):
		return &Error{Kind: KindCancelled, Msg: "cancelled", Err: err}
	}
	return &Error{Kind: KindFailed, Msg: err.Error(), Err: err}
}

// oneLine folds white space, so that an error is always one line of the protocol.
func oneLine(s string) string {
	// Some programs end a line at other control characters.
	blank := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	return strings.Join(strings.FieldsFunc(s, blank), " ")
}

// badArguments is an error about a call's parameters.
func badArguments(tool *Tool, err error) *Error {
	var e *Error
	hint := tool.takes()
	if errors.As(err, &e) {
		if e.Kind != KindArgs {
			return e
		}
		if e.Hint != "" {
			hint = e.Hint
		}
		err = errors.New(e.Msg)
	}
	return Errorf(KindArgs, "%s: %w", tool.Name, err).WithHint("%s", hint)
}

// ErrorOf puts the tool's name before an error, unless the failure is outside of the
// tool.
func (t *Tool) ErrorOf(err error) *Error {
	e := *AsError(err)
	switch e.Kind {
	case KindNoTarget, KindUnavailable, KindLimit:
		return &e
	}
	e.Msg = t.Name + ": " + e.Msg
	return &e
}

// RPC is the error object (section 5.1). Errors that the specification defines get its
// message; our own text is in data.
func (e *Error) RPC() *jsonrpc2.Error {
	r := &jsonrpc2.Error{Code: int64(e.Kind.RPCCode()), Message: e.Error()}
	shown := *e
	switch e.Kind {
	case KindParse:
		r.Message = "Parse error"
	case KindInvalid:
		r.Message = "Invalid Request"
	case KindUnknown:
		r.Message = "Method not found"
	default:
		r.Data = shown.data()
		return r
	}
	shown.Hint = e.Error()
	r.Data = shown.data()
	return r
}

// data is the "data" member of an error object.
func (e *Error) data() *json.RawMessage {
	type plain Error // without the methods
	shown := plain(*e)
	if e.Kind == KindInternal {
		shown.Log = "" // a stack is for our log, not for callers
	}
	data := rawjson.Encode(shown)
	return &data
}
