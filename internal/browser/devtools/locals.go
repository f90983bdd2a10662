package devtools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Locals are the variables that a call sees.
type Locals struct {
	Function string  `json:"function" doc:"name; empty at the top level"`
	Place    string  `json:"place" doc:"script:line:column"`
	This     any     `json:"this" doc:"this"`
	Scopes   []Scope `json:"scopes" doc:"innermost first, the global ones left out"`
}

// Scope is a block, a function or a closure.
type Scope struct {
	Type string         `json:"type" own:"yes" doc:"block, local, closure, catch, module, …"`
	Name string         `json:"name,omitempty" doc:"function"`
	Vars map[string]any `json:"vars" doc:"by name; objects in a few words"`
	More int            `json:"more,omitempty" doc:"variables left out"`
}

// maxVars is the number of variables of a scope that are shown.
const maxVars = 100

// frame is the nth call of the pause, 0 being the innermost.
func (d *Debugger) frame(n int) (*callFrame, error) {
	p, _, _ := d.pauses.state()
	if p == nil {
		return nil, ErrRunning
	}
	if n < 0 || n >= len(p.CallFrames) {
		return nil, fmt.Errorf("frame: expected 0 to %d, got %d", len(p.CallFrames)-1, n)
	}
	return &p.CallFrames[n], nil
}

// Locals answers the variables of the nth call: Runtime.getProperties of its
// scopes.
func (d *Debugger) Locals(ctx context.Context, n int) (*Locals, error) {
	f, err := d.frame(n)
	if err != nil {
		return nil, err
	}
	at := d.scripts.location(f.Location)
	out := &Locals{Function: f.FunctionName, Place: at.String(), This: d.page.preview(&f.This), Scopes: []Scope{}}
	for _, s := range f.ScopeChain {
		if s.Type == "global" || s.Type == "script" {
			continue
		}
		scope := Scope{Type: s.Type, Name: s.Name}
		if scope.Vars, scope.More, err = d.variables(ctx, s.Object.ObjectID); err != nil {
			return nil, err
		}
		if len(scope.Vars) > 0 {
			out.Scopes = append(out.Scopes, scope)
		}
	}
	return out, nil
}

// variables are an object's own properties, and the number that are not shown.
func (d *Debugger) variables(ctx context.Context, objectID string) (map[string]any, int, error) {
	var reply struct {
		Result []struct {
			Name       string
			Value, Get *remoteObject
		}
	}
	err := d.page.call(ctx, "Runtime.getProperties", map[string]any{"objectId": objectID, "ownProperties": true, "generatePreview": true}, &reply)
	vars := map[string]any{}
	for _, p := range reply.Result {
		switch {
		case len(vars) == maxVars:
			return vars, len(reply.Result) - maxVars, err
		case p.Value != nil:
			vars[p.Name] = d.page.preview(p.Value)
		case p.Get != nil:
			vars[p.Name] = "(getter)"
		default:
			vars[p.Name] = "(not set yet)"
		}
	}
	return vars, 0, err
}

// ErrPausedMeanwhile: an expression reached a breakpoint.
var ErrPausedMeanwhile = errors.New("the page paused while it ran")

// Evaluate answers the value of an expression, as JSON if possible, else as a short
// text. While the page is paused it evaluates in the nth call
// (Debugger.evaluateOnCallFrame); otherwise it evaluates globally and awaits a promise
// (Runtime.evaluate).
func (d *Debugger) Evaluate(ctx context.Context, expression string, n int) (any, error) {
	params := map[string]any{"expression": expression, "generatePreview": true, "objectGroup": "evaluate"}
	method := "Runtime.evaluate"
	if d.Paused() {
		f, err := d.frame(n)
		if err != nil {
			return nil, err
		}
		method, params["callFrameId"] = "Debugger.evaluateOnCallFrame", f.CallFrameID
	} else {
		params["awaitPromise"] = true
		// Only this mode allows await, and in it a promise is a value.
		params["replMode"] = strings.Contains(expression, "await")
	}
	if deadline, ok := ctx.Deadline(); ok { // an endless expression is stopped
		params["timeout"] = max(1, time.Until(deadline).Milliseconds()*9/10)
	}
	defer d.page.release("Runtime.releaseObjectGroup", map[string]any{"objectGroup": "evaluate"})
	o, err := d.evaluated(ctx, method, params)
	if err != nil {
		return nil, err
	}
	return d.value(ctx, o), nil
}

// evaluated sends an evaluation. It does not wait for one that reaches a breakpoint,
// which ends when the page resumes.
func (d *Debugger) evaluated(ctx context.Context, method string, params map[string]any) (*remoteObject, error) {
	var reply evaluation
	if method == "Runtime.evaluate" {
		running, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		ctx = running
		go func() {
			if d.WaitPaused(running) == nil {
				cancel(ErrPausedMeanwhile)
			}
		}()
	}
	err := d.page.call(ctx, method, params, &reply)
	switch {
	case err != nil && context.Cause(ctx) == ErrPausedMeanwhile:
		return nil, ErrPausedMeanwhile
	case err != nil:
		return nil, err
	case reply.ExceptionDetails != nil:
		return nil, reply.ExceptionDetails
	}
	return &reply.Result, nil
}

// byValue are the kinds of objects that JSON can hold.
var byValue = []string{"", "array"}

// value is an object as JSON, if it is plain and not circular.
func (d *Debugger) value(ctx context.Context, o *remoteObject) any {
	if o.Type == "undefined" {
		return nil
	}
	if o.Type == "string" {
		return o.Value
	}
	if o.Type != "object" || o.ObjectID == "" || !slices.Contains(byValue, o.Subtype) {
		return d.page.preview(o)
	}
	var reply evaluation
	err := d.page.call(ctx, "Runtime.callFunctionOn", map[string]any{"objectId": o.ObjectID,
		"functionDeclaration": "function() { return JSON.stringify(this) }", "returnByValue": true}, &reply)
	var text string
	if err != nil || reply.ExceptionDetails != nil || json.Unmarshal(reply.Result.Value, &text) != nil || len(text) > maxValue {
		return d.page.preview(o)
	}
	return json.RawMessage(text)
}

// maxValue bounds the JSON of a value, in bytes.
const maxValue = 1 << 20
