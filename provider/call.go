package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strconv"
	"time"

	"pwpipe/provider/internal/rawjson"
)

// Request is one call of a tool, whatever the dialect it came in.
type Request struct {
	Tool    string
	Params  json.RawMessage // an object, an array, or nil
	Page    string          // handle given with the request, "" for the active page
	Session string          // session given with the request, "" for the surface's own
	Timeout time.Duration   // deadline given with the request, 0 for the tool's
	Tell    bool            // say what an act did, beside its result
	Max     int             // longest text to answer, in characters, 0 for any
	// Deadline is how long the call may take: what was given, or else the
	// run's or the tool's. It is set while a handler runs.
	Deadline time.Duration

	args args // its params, split
	part bool // another tool's doing, not a client's: a step of a batch, say
}

// Result is what a tool answered: as JSON for the wire, and as it is for
// dialects that can show more than JSON.
type Result struct {
	JSON  json.RawMessage
	Value any
	// Opened is the session that a surface opened for the call, "" for none. The
	// client has not heard of it otherwise.
	Opened string
	// Files are those that the call wrote, for dialects that offer them: of a call
	// that failed too.
	Files []File
	// Happened is what an act did, a line each, where the request wanted to be told.
	Happened []string
}

// running is what a handler's context says of the call that it belongs to.
type running struct {
	request Request
	tool    *Tool
	table   *Table
}

type runningKey struct{}

// runningIn is the call that a context belongs to, nil outside of any.
func runningIn(ctx context.Context) *running {
	r, _ := ctx.Value(runningKey{}).(*running)
	return r
}

// tableOf is the table that runs a handler, nil outside of any.
func tableOf(ctx context.Context) *Table {
	if r := runningIn(ctx); r != nil {
		return r.table
	}
	return nil
}

// RequestFrom returns the request that a handler's context belongs to.
func RequestFrom(ctx context.Context) Request {
	if r := runningIn(ctx); r != nil {
		return r.request
	}
	return Request{}
}

// SpecFrom returns the declaration of the tool that a handler's context belongs
// to, an empty one outside of any. It is not to be changed.
func SpecFrom(ctx context.Context) *Spec {
	if r := runningIn(ctx); r != nil {
		return &r.tool.Spec
	}
	return &Spec{}
}

// Call finds the tool, decodes, runs it under its deadline and encodes the
// result. Every surface ends here. The error is an *Error or nil.
func (t *Table) Call(ctx context.Context, r Request) (Result, error) {
	start := time.Now()
	r.Params = t.unbound(r.Params)
	tool := t.find(r)
	ctx = context.WithValue(ctx, aimKey{}, &Aim{})
	result, err := t.call(ctx, tool, r)
	// What a part answered is masked before another can use it, and marked as
	// the page's when the whole answers.
	var e *Error
	if err != nil {
		e = t.redactError(AsError(err), !r.part)
	} else {
		happened := result.Happened
		result = t.redact(tool, r, result, !r.part)
		result.Happened = t.redactLines(happened, !r.part)
	}
	for _, see := range t.seen {
		see(ctx, r, time.Since(start), e)
	}
	if e != nil {
		result = Result{}
	}
	if !r.part {
		result.Files = offered(ctx)
	}
	switch {
	case e == nil:
		return result, nil
	case tool != nil && tool.Failed != nil:
		result.Value = tool.Failed(ctx, e)
		result.JSON = rawjson.Encode(result.Value)
		return result, nil
	}
	return result, e
}

// Call calls a tool from within another's handler, on the same table.
func Call(ctx context.Context, r Request) (Result, error) {
	r.part = true
	return tableOf(ctx).Call(ctx, r)
}

// call is a call from its parameters to its result, before that is redacted.
func (t *Table) call(ctx context.Context, tool *Tool, r Request) (result Result, err error) {
	if tool == nil {
		return result, t.unknown(r.Tool)
	}
	if !tool.TakesTurns {
		TurnFrom(ctx).Pass()
	}
	in, err := t.input(tool, &r)
	if err != nil {
		return result, err
	}
	ctx, release, err := t.bind(ctx, tool, r)
	if err != nil {
		return result, tool.ErrorOf(err)
	}
	defer func() {
		if p := recover(); p != nil {
			result, err = Result{}, panicked(tool, p).from(tool)
		}
		if tool.After != nil && !r.part {
			tool.After(ctx, r, AsError(err))
		}
		release(AsError(err))
	}()
	r.Deadline, r.Max = t.deadline(ctx, tool, r), tool.maxOf(r, in)
	ctx = context.WithValue(ctx, runningKey{}, &running{r, tool, t})
	if tool.Prepare != nil {
		if ctx, err = tool.Prepare(ctx); err != nil {
			return result, tool.ErrorOf(err)
		}
	}
	timed, cancel := context.WithTimeout(ctx, r.Deadline)
	defer cancel()
	did := func() []string { return nil }
	if r.Tell && tool.Witness != nil {
		did = tool.Witness(timed)
	}
	value, err := tool.run(timed, in)
	if err != nil {
		return result, tool.ErrorOf(r.late(err)).from(tool)
	}
	if result, err = t.output(tool, r, value); err == nil {
		result.Happened = did()
	}
	return result, err
}

// input makes the tool's input of the request's parameters, and takes out of
// them what is the request's.
func (t *Table) input(tool *Tool, r *Request) (in reflect.Value, err error) {
	if err := r.split(); err != nil {
		return in, badArguments(tool, err)
	}
	if *r, err = tool.envelope(*r); err != nil {
		return in, tool.ErrorOf(err)
	}
	named, err := tool.named(r.args)
	if err == nil {
		named, err = t.resolve(tool, named)
	}
	if err == nil {
		in, err = tool.decode(named)
	}
	if err != nil {
		return in, badArguments(tool, err)
	}
	return in, nil
}

// late words the end of the call's time, where its tool does not.
func (r Request) late(err error) error {
	var own *Error
	if errors.As(err, &own) || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Error{Kind: KindTimeout, Msg: "no answer after " + strconv.FormatFloat(r.Deadline.Seconds(), 'f', -1, 64) + " s", Err: err}
}

// output is a result as JSON, cut where the request says so. A value that JSON
// can't hold must become this request's error here, not a missing reply later.
func (t *Table) output(tool *Tool, r Request, value any) (Result, error) {
	raw, err := rawjson.TryEncode(value)
	if err != nil {
		return Result{}, Errorf(KindFailed, "%s: the result is not JSON: %v", tool.Name, err).from(tool)
	}
	return t.limit(tool, r, Result{JSON: raw, Value: value}), nil
}

// deadline is the caller's, else the run's, else the tool's; and within that of
// a batch, which bounds its steps.
func (t *Table) deadline(ctx context.Context, tool *Tool, r Request) time.Duration {
	d := 30 * time.Second
	switch {
	case r.Timeout > 0:
		d = r.Timeout
	case t.options.Timeout > 0:
		d = t.options.Timeout
	case tool.Timeout > 0:
		d = tool.Timeout
	}
	if end, ok := ctx.Deadline(); ok {
		d = min(d, max(time.Until(end).Round(10*time.Millisecond), time.Millisecond))
	}
	return d
}

// Panic carries a panic from one goroutine of a call to the one that answers
// it, with the stack that shows where it was.
type Panic struct {
	Value any
	Stack []byte
}

// panicked makes a handler's panic that request's error.
func panicked(tool *Tool, p any) *Error {
	carried, ok := p.(Panic)
	if !ok {
		carried = Panic{p, debug.Stack()}
	}
	return &Error{Kind: KindInternal, Msg: fmt.Sprintf("%s: internal error: %v", tool.Name, carried.Value), Log: string(carried.Stack)}
}
