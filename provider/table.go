package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"pwpipe/internal/near"
	"pwpipe/internal/secrets"
)

// Request is one call of a tool, whatever the dialect it came in.
type Request struct {
	Tool    string
	Params  json.RawMessage // an object, an array, or nil
	Page    string          // handle given with the request, "" for the active page
	Session string          // session given with the request, "" for the surface's own
	Timeout time.Duration   // deadline given with the request, 0 for the tool's
	Max     int             // longest text to answer, in characters, 0 for any
	// Deadline is how long the call may take: what was given, or else the
	// run's or the tool's. It is set while a handler runs.
	Deadline time.Duration

	part bool // it is a tool's own doing, not a client's
}

// OpenRPC describes the tools of the table that runs a handler.
func OpenRPC(ctx context.Context) json.RawMessage { return openRPC(tableOf(ctx).Profile("all")) }

// Table is the ordered set of tools, and the one funnel that every surface
// ends in.
type Table struct {
	tools   []*Tool
	byName  map[string]*Tool
	parts   map[string]*Tool // those that are not offered, for tools that are made of them
	timeout time.Duration
	cuts    cuts
	// Sessions finds the session of a request that names one; nil where there
	// are none.
	Sessions Sessions
	// Observe, where set, sees each finished call: for logs and metrics. It
	// must not block.
	Observe func(ctx context.Context, r Request, took time.Duration, err *Error)
	// Secrets, where set, are named in requests and masked in replies.
	Secrets Secrets

	boundary string       // marks what pages say, "" for no marks
	marker   *secrets.Set // finds it in what they say, nil for no marks
}

// NewTable makes a table. It panics when two tools have one name: that is a
// mistake in the declarations.
func NewTable(tools ...*Tool) *Table {
	t := &Table{byName: map[string]*Tool{}}
	for _, tool := range tools {
		if t.byName[tool.Name] != nil {
			panic("provider: two tools named " + tool.Name)
		}
		t.byName[tool.Name] = tool
		t.tools = append(t.tools, tool)
	}
	return t
}

// Offer leaves the tools for which keep says so; all others do not exist for
// clients, by whatever way. A tool that is made of others goes on working.
func (t *Table) Offer(keep func(*Tool) bool) {
	kept := make([]*Tool, 0, len(t.tools))
	if t.parts == nil {
		t.parts = map[string]*Tool{}
	}
	for _, tool := range t.tools {
		if keep(tool) {
			kept = append(kept, tool)
			continue
		}
		delete(t.byName, tool.Name)
		t.parts[tool.Name] = tool
	}
	t.tools = kept
}

// OfferOnly is Offer by names. A name of no tool is an error.
func (t *Table) OfferOnly(names []string) error {
	for _, name := range names {
		if t.byName[name] == nil {
			return errors.New(t.unknownTool(name))
		}
	}
	t.Offer(func(tool *Tool) bool { return slices.Contains(names, tool.Name) })
	return nil
}

func (t *Table) unknownTool(name string) string {
	if meant := t.unknown(name).Hint; meant != "" {
		return fmt.Sprintf("no tool %q; %s", name, meant)
	}
	return fmt.Sprintf("no tool %q; `pwpipe tools` lists them", name)
}

// find is the tool that a request calls, nil if there is none.
func (t *Table) find(r Request) *Tool {
	if tool := t.byName[r.Tool]; tool != nil || !r.part {
		return tool
	}
	return t.parts[r.Tool]
}

// SetTimeout replaces every tool's default deadline (0 keeps them).
func (t *Table) SetTimeout(d time.Duration) { t.timeout = d }

// Find returns the tool of that name, nil if there is none.
func (t *Table) Find(name string) *Tool { return t.byName[name] }

// Profile returns the tools of a profile, or of several with commas between
// their names, in the order of declaration; "all" are all.
func (t *Table) Profile(names string) []*Tool {
	profiles := splitProfiles(names)
	all := slices.Contains(profiles, "all")
	var list []*Tool
	for _, tool := range t.tools {
		if all || tool.listedIn(profiles) {
			list = append(list, tool)
		}
	}
	return list
}

// CheckProfile refuses names of profiles, with commas between them, of which
// one has no tools.
func (t *Table) CheckProfile(names string) error {
	known := append(t.Profiles(), "all")
	for _, name := range splitProfiles(names) {
		if slices.Contains(known, name) {
			continue
		}
		hint := near.Hint(name, known)
		if hint != "" {
			hint += " "
		}
		return fmt.Errorf("no profile %q; %sthere are %s; several are separated by commas", name, hint, strings.Join(known, ", "))
	}
	return nil
}

func splitProfiles(names string) []string {
	list := strings.Split(names, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// unknown is the error of a method that no tool has. Its words are the wire's
// contract; what may have been meant is the hint.
func (t *Table) unknown(method string) *Error {
	e := &Error{Kind: KindUnknown, Msg: "unknown method: " + method}
	names := make([]string, 0, len(t.byName))
	for _, tool := range t.Profile("all") {
		names = append(names, tool.Name)
	}
	e.Hint = near.Hint(method, names)
	return e
}

// Profiles names the profiles in the order of declaration.
func (t *Table) Profiles() []string {
	var names []string
	for _, tool := range t.tools {
		if !slices.Contains(names, tool.Profile) {
			names = append(names, tool.Profile)
		}
	}
	return names
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

// Result is what a tool answered: as JSON for the wire, and as it is for
// dialects that can show more than JSON.
type Result struct {
	JSON  json.RawMessage
	Value any
}

// Call finds the tool, decodes, runs it under its deadline and encodes the
// result. Every surface ends here. The error is an *Error or nil.
func (t *Table) Call(ctx context.Context, r Request) (result Result, err error) {
	start := time.Now()
	r.Params = t.unbound(r.Params)
	result, err = t.call(ctx, r)
	// What a step answered is masked before another can use it, and marked as
	// the page's when the batch answers.
	within := runningIn(ctx) != nil
	result = t.redact(t.find(r), r, result, !within)
	var e *Error
	if err != nil {
		e = t.redactError(AsError(err), !within)
		err = e
	}
	if t.Observe != nil {
		t.Observe(ctx, r, time.Since(start), e)
	}
	if tool := t.find(r); tool != nil {
		if tool.Failed != nil && e != nil {
			value := tool.Failed(ctx, e)
			return Result{JSON: encode(value), Value: value}, nil
		}
	}
	return result, err
}

// Call calls a tool from within another's handler, on the same table.
func Call(ctx context.Context, r Request) (Result, error) {
	r.part = true
	return tableOf(ctx).Call(ctx, r)
}

func (t *Table) call(ctx context.Context, r Request) (result Result, err error) {
	tool := t.find(r)
	if tool == nil {
		return result, t.unknown(r.Tool)
	}
	r, err = tool.envelope(r)
	if err != nil {
		return result, named(tool, err)
	}
	asked := r // secrets by name, not by value
	if r.Params, err = t.resolve(tool, r.Params); err != nil {
		return result, badArguments(tool, err)
	}
	in, err := tool.decode(r.Params)
	if err != nil {
		return result, badArguments(tool, err)
	}
	r.Deadline, r.Max = t.deadline(tool, r), tool.maxOf(r, in)
	ctx, release, err := t.bind(ctx, tool, r)
	if err != nil {
		return result, named(tool, err)
	}
	within := runningIn(ctx) != nil // a step of a batch is the batch's doing
	defer func() {
		if p := recover(); p != nil {
			result, err = Result{}, panicked(tool, p).from(tool)
		}
		if tool.After != nil && !within {
			tool.After(ctx, asked, AsError(err))
		}
		release(AsError(err))
	}()
	if d, ok := ctx.Deadline(); ok { // of a batch, which bounds its steps
		r.Deadline = min(r.Deadline, max(time.Until(d).Round(10*time.Millisecond), time.Millisecond))
	}
	ctx = context.WithValue(ctx, runningKey{}, &running{r, tool, t})
	if tool.Prepare != nil {
		if ctx, err = tool.Prepare(ctx); err != nil {
			return result, named(tool, err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, r.Deadline)
	defer cancel()
	value, err := tool.run(ctx, in)
	if err != nil {
		return result, named(tool, err).from(tool)
	}
	// A value that JSON can't hold must become this request's error here, not
	// a missing reply later.
	raw, err := tryEncode(value)
	if err != nil {
		return result, Errorf(KindFailed, "%s: the result is not JSON: %v", tool.Name, err).from(tool)
	}
	return t.limit(tool, r, Result{JSON: raw, Value: value}), nil
}

// deadline is the caller's, else the run's, else the tool's.
func (t *Table) deadline(tool *Tool, r Request) time.Duration {
	switch {
	case r.Timeout > 0:
		return r.Timeout
	case t.timeout > 0:
		return t.timeout
	case tool.Timeout > 0:
		return tool.Timeout
	}
	return 30 * time.Second
}

// Panic carries a panic from one goroutine of a call to the one that answers
// it, with the stack that shows where it was.
type Panic struct {
	Value any
	Stack []byte
}

// panicked makes a handler's panic that request's error.
func panicked(tool *Tool, p any) *Error {
	if carried, ok := p.(Panic); ok {
		return &Error{Kind: KindInternal, Msg: fmt.Sprintf("%s: internal error: %v", tool.Name, carried.Value), Log: string(carried.Stack)}
	}
	return &Error{Kind: KindInternal, Msg: fmt.Sprintf("%s: internal error: %v", tool.Name, p), Log: string(debug.Stack())}
}

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

// named puts the tool's name in front of a handler's error, unless it says it
// already or the failure is not the tool's.
func named(tool *Tool, err error) *Error {
	e := *AsError(err)
	switch e.Kind {
	case KindNoTarget, KindUnavailable, KindLimit:
		return &e
	}
	e.Msg = tool.Name + ": " + e.Msg
	return &e
}

// envelope takes page, timeout and session_id out of named params; a tool's
// own parameter of that name is left to the tool.
func (tool *Tool) envelope(r Request) (Request, error) {
	if isNull(r.Params) || jsonType(r.Params) != "an object" {
		return r, nil
	}
	params, err := splitObject(r.Params)
	if err != nil {
		return r, err
	}
	rest := params[:0:0]
	for _, m := range params {
		if tool.has(m.key) || !isEnvelope(m.key) {
			rest = append(rest, m)
			continue
		}
		if err := r.set(m.key, m.value, tool.TimeoutUnit); err != nil {
			return r, err
		}
	}
	if len(rest) != len(params) {
		r.Params = joinObject(rest)
	}
	return r, nil
}

// isEnvelope tells the keys that belong to every request, not to a tool.
func isEnvelope(key string) bool {
	return key == "page" || key == "timeout" || key == "max" || key == "session_id"
}

// maxTimeout bounds what a caller may ask for. It is short enough to find
// milliseconds where seconds are meant: 30000 is refused.
const maxTimeout = time.Hour

// set takes one key of the envelope.
func (r *Request) set(key string, raw json.RawMessage, unit time.Duration) error {
	if isNull(raw) {
		return nil
	}
	if key == "max" {
		if json.Unmarshal(raw, &r.Max) != nil || r.Max < 1 {
			return Errorf(KindArgs, "max: expected a whole number of characters above 0, got %s", raw)
		}
		return nil
	}
	if key != "timeout" {
		var s string
		if json.Unmarshal(raw, &s) != nil || s == "" {
			return Errorf(KindArgs, "%s: expected a handle such as \"p1\", got %s", key, jsonType(raw))
		}
		if key == "page" {
			r.Page = s
		} else {
			r.Session = s
		}
		return nil
	}
	var n float64
	if json.Unmarshal(raw, &n) != nil || n <= 0 || n*float64(unit) > float64(maxTimeout) {
		e := Errorf(KindArgs, "timeout: expected a number of %s above 0 (at most an hour), got %s", unitName(unit), raw)
		if unit == time.Second && n >= 1000 {
			e = e.WithHint("it is in seconds: %s milliseconds are %g", raw, n/1000)
		}
		return e
	}
	r.Timeout = max(time.Duration(n*float64(unit)), time.Millisecond)
	return nil
}

func unitName(unit time.Duration) string {
	if unit == time.Millisecond {
		return "milliseconds"
	}
	return "seconds"
}

// joinObject is the inverse of splitObject.
func joinObject(o object) json.RawMessage {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, encode(m.key)...), ':'), m.value...)
	}
	return append(b, '}')
}
