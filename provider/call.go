package provider

import (
	"cmp"
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

// Request is one call of a tool, in any dialect.
type Request struct {
	Tool    string
	Params  json.RawMessage // an object, an array, or nil
	Page    string          // handle in the request, "" for the active page
	Session string          // session in the request, "" for the surface's own
	Timeout time.Duration   // deadline in the request, 0 for the tool's
	Tell    bool            // report what an act did, beside its result
	Outline string          // of the page, which an act with Tell answers: diff, whole or none; "" for the default
	Max     int             // longest text to answer, in characters, 0 for no bound
	// Deadline is how long the call may take: the request's, or else the run's or the
	// tool's. It is set while a handler runs.
	Deadline time.Duration

	args  args // its params, split
	timed bool // somebody gave a time: for the batch that it is a step of, if not for itself
	part  bool // made by another tool, not by a client: a step of a batch, for example
	step  int  // the number of that step, from 1

	followed bool // a later step of the batch says what changed, if this one succeeds

	written *asWritten // a step as its client wrote it, nil for all else
}

// IsPart reports whether another tool made the call, as a batch does with its steps.
func (r Request) IsPart() bool { return r.part }

// IsFollowed reports whether another step of the same batch says what changed, unless this
// one fails.
func (r Request) IsFollowed() bool { return r.followed }

// words are the parameters as JSON.
func (r Request) words() json.RawMessage {
	if r.args.in.IsValid() {
		return rawjson.Encode(r.args.in.Interface())
	}
	return r.Params
}

// Step is the number of the batch's step that the call is, from 1; 0 for no step.
func (r Request) Step() int { return r.step }

// Result is what a tool answered: as JSON for the wire, and as it is for
// dialects that can show more than JSON.
type Result struct {
	JSON  json.RawMessage
	Value any
	// Opened is the session that a surface opened for the call, "" for none. The client
	// does not know it yet.
	Opened string
	// Files are the files that the call wrote, for dialects that offer them. A failed
	// call may have some too.
	Files []File
	// Happened is what an act did, a line each, where the request wanted to be told. A
	// failed call may have some too.
	Happened []string
}

// running is the state of a call, in the context of its handler.
type running struct {
	request  Request
	tool     *Tool
	table    *Table
	happened []string // what the act did
}

// HappenedMark begins a line of what an act did. Other lines that an act answers are of the
// outline.
const HappenedMark = "→ "

// Happened sets what the act under ctx did, a line each, for a request with Tell.
func Happened(ctx context.Context, lines []string) { runningIn(ctx).happened = lines }

// runningIn is the call that a context belongs to, an empty one outside a call.
func runningIn(ctx context.Context) *running {
	if r, ok := ctx.Value(runningKey).(*running); ok {
		return r
	}
	return &running{tool: &Tool{}}
}

// TableOf is the table that runs a handler, nil outside a call.
func TableOf(ctx context.Context) *Table { return runningIn(ctx).table }

// RequestFrom returns the request that a handler's context belongs to.
func RequestFrom(ctx context.Context) Request { return runningIn(ctx).request }

// TimeGiven reports whether somebody has said how long the call under ctx may take: in the
// request, in that of the batch that it is a step of, or for the whole run.
func TimeGiven(ctx context.Context) bool {
	r := runningIn(ctx)
	return r.table != nil && (r.request.Timeout > 0 || r.request.timed || r.table.options.Timeout > 0)
}

// SpecFrom returns the declaration of the tool that a handler's context belongs to, an
// empty one outside a call. Callers must not change it.
func SpecFrom(ctx context.Context) *Spec { return &runningIn(ctx).tool.Spec }

// Call finds the tool, decodes the parameters, runs the tool under its deadline and
// encodes the result. Every surface uses it. The error is an *Error or nil.
func (t *Table) Call(ctx context.Context, r Request) (Result, error) {
	start := time.Now()
	r.Params = t.unbound(r.Params)
	tool := t.find(r)
	ctx = context.WithValue(ctx, aimKey, &Aim{})
	if r.part || fromContext[*unwritten](ctx, unwrittenKey) == nil {
		own, written := Answering(ctx)
		defer written()
		ctx = own
	}
	if t.tracer != nil {
		ctx = t.tracer.Start(ctx, r)
	}
	result, err := t.call(ctx, tool, r)
	// The result of a part is masked before another part can use it. Page texts are
	// marked when the whole call answers.
	var e *Error
	happened := t.redactLines(result.Happened, !r.part)
	if err != nil {
		e = t.redactError(AsError(err), !r.part)
	} else {
		result = t.redact(tool, r, result, !r.part)
	}
	for _, see := range t.seen {
		see(ctx, r, time.Since(start), e)
	}
	if e != nil {
		result = Result{}
	}
	result.Happened = happened
	if x := exchangeIn(ctx); x != nil && !r.part {
		result.Files = x.written()
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

// Call calls a tool from the handler of another, on the same table.
func Call(ctx context.Context, r Request) (Result, error) {
	r.part = true
	return TableOf(ctx).Call(ctx, r)
}

// call runs a call from its parameters to its result, before redaction.
func (t *Table) call(ctx context.Context, tool *Tool, r Request) (result Result, err error) {
	if tool == nil { // the text is part of the wire's contract
		return result, &Error{Kind: KindUnknown, Msg: "unknown method: " + r.Tool, Hint: t.Meant(r.Tool)}
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
		if release != nil {
			release(AsError(err))
		}
	}()
	r.Deadline = t.deadline(ctx, tool, r)
	tool.ownEnvelope(&r, in)
	return t.run(context.WithValue(ctx, runningKey, &running{request: r, tool: tool, table: t}), tool, r, in)
}

// run runs a call's tool. Its error is worded as the tool's: one of the part with the
// deadline is the tool's own, any other came before that.
func (t *Table) run(ctx context.Context, tool *Tool, r Request, in reflect.Value) (result Result, err error) {
	var ended error // of the part with the deadline
	err = tool.run(ctx, in, func(ctx context.Context, part func(context.Context) (any, error)) error {
		timed, cancel := context.WithTimeout(ctx, r.Deadline)
		defer cancel()
		value, err := part(timed)
		if err != nil {
			ended = tool.ErrorOf(r.late(err)).from(tool)
			return ended
		}
		if result, ended = t.output(tool, r, value); ended == nil {
			result.Happened = runningIn(ctx).happened
		}
		return ended
	})
	switch {
	case ended != nil:
		return Result{Happened: runningIn(ctx).happened}, ended
	case err != nil:
		return Result{}, tool.ErrorOf(err)
	}
	return result, nil
}

// input decodes the tool's input from the request's parameters, after moving the
// envelope's keys to the request.
func (t *Table) input(tool *Tool, r *Request) (in reflect.Value, err error) {
	if r.args.in.IsValid() {
		if err := cmp.Or(complete(r.args.in, tool.Params), complete(r.args.in, tool.hidden)); err != nil {
			return in, badArguments(tool, err)
		}
		return r.args.in, nil
	}
	if err := r.split(); err != nil {
		return in, badArguments(tool, err)
	}
	if *r, err = tool.envelope(*r); err != nil {
		return in, tool.ErrorOf(err)
	}
	named, err := tool.named(r.args)
	if tool.Lenient {
		named = knownIn(tool.Params, named)
	}
	if err == nil {
		named, err = t.resolve(tool, *r, named)
	}
	if err == nil {
		in, err = tool.decode(named)
	}
	if err != nil {
		return in, badArguments(tool, err)
	}
	return in, nil
}

// late makes the error of a passed deadline, unless the tool has made its own.
func (r Request) late(err error) error {
	var own *Error
	if errors.As(err, &own) || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Error{Kind: KindTimeout, Msg: "no answer after " + strconv.FormatFloat(r.Deadline.Seconds(), 'f', -1, 64) + " s", Err: err}
}

// output encodes a result as JSON, cut to the request's bound. A value that JSON can't
// hold must become this request's error here, not a missing reply later. Go code takes the
// value: of that only JSON is looked at, and what secrets are masked in.
func (t *Table) output(tool *Tool, r Request, value any) (Result, error) {
	typed := r.args.in.IsValid()
	if typed && !tool.any && t.options.Secrets == nil {
		return Result{Value: value}, nil
	}
	raw, err := rawjson.TryEncode(value)
	if err != nil {
		return Result{}, Errorf(KindFailed, "%s: the result is not JSON: %v", tool.Name, err).from(tool)
	}
	result := Result{JSON: raw, Value: value}
	if r.Max > 0 && len(raw) > r.Max && !typed {
		result = t.limit(tool, r, result)
	}
	return result, nil
}

// deadline is the caller's, else the run's, else the tool's. The deadline of a batch
// bounds its steps.
func (t *Table) deadline(ctx context.Context, tool *Tool, r Request) time.Duration {
	d := cmp.Or(r.Timeout, t.options.Timeout, tool.Timeout, 30*time.Second)
	if end, ok := ctx.Deadline(); ok {
		d = min(d, max(time.Until(end).Round(10*time.Millisecond), time.Millisecond))
	}
	return d
}

// shapedAnswer is the answer of an alias that is called.
type shapedAnswer struct {
	shape *Shape
	made  bool
	value any
}

// Shaped makes the answer of the alias that ctx runs, of what its tool answered: once,
// and nothing where ctx runs no alias. What runs tools calls it where the tool's own
// answer was made, on the page and while that is guarded, if a shape needs that.
func Shaped(ctx context.Context, in, answer any) (err error) {
	a := fromContext[*shapedAnswer](ctx, answerKey)
	if a == nil || a.made {
		return nil
	}
	a.made = true
	a.value, err = a.shape.make(ctx, in, answer)
	return err
}

// Panic carries a panic from a goroutine of a call to the goroutine that answers the
// call, with the original stack.
type Panic struct {
	Value any
	Stack []byte
}

// panicked makes a handler's panic the error of its request.
func panicked(tool *Tool, p any) *Error {
	carried, ok := p.(Panic)
	if !ok {
		carried = Panic{p, debug.Stack()}
	}
	return &Error{Kind: KindInternal, Msg: fmt.Sprintf("%s: internal error: %v", tool.Name, carried.Value), Log: string(carried.Stack)}
}
