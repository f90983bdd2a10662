package tool

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/pwerrors"
	"pwpipe/provider"
)

// evaluator runs in the page: it evaluates the code and turns the value into
// JSON text. playwright-go's own conversion loses large numbers, and a value
// that JSON can't hold would leave the request without a reply.
//
//go:embed eval.js
var evaluator string

// Evaluate runs code in the page, given to a function it evaluates to.
func (c *Call) Evaluate(code string, arg any) (json.RawMessage, error) {
	var in any = fmt.Sprintf("%.0f %s", *c.Left(), code)
	if arg != nil {
		in = []any{in, arg}
	}
	out, err := runEvaluator(c, in)
	if err != nil {
		return nil, c.EvalError(err)
	}
	switch {
	case strings.HasPrefix(out, "=") && json.Valid([]byte(out[1:])):
		return json.RawMessage(out[1:]), nil
	case strings.HasPrefix(out, "!"):
		return nil, provider.Errorf(provider.KindFailed, "%s", out[1:])
	case out == "?":
		return nil, provider.Errorf(provider.KindTimeout, "the promise did not settle within %s on %s",
			pwerrors.Seconds(provider.RequestFrom(c.Ctx).Deadline), c.Where())
	}
	return nil, provider.Errorf(provider.KindFailed, "the page broke the evaluation")
}

// JSLiteral is JSON as part of a script.
func JSLiteral(raw json.RawMessage) string {
	return strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`).Replace(string(raw))
}

// evaluated is what a page's document has of the evaluator.
var evaluated = browser.State[*browser.Page, evaluatorIn]{New: func(p *browser.Page) *evaluatorIn {
	e := &evaluatorIn{}
	p.OnLeave(e.forget)
	return e
}}

type evaluatorIn struct {
	mu   sync.Mutex
	used bool   // it ran in this document
	id   string // its DevTools id there, "" if there is none yet
}

// forget drops what belongs to a document that is being left.
func (e *evaluatorIn) forget() { e.keep("", false) }

func (e *evaluatorIn) keep(id string, used bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.id, e.used = id, used
}

// runEvaluator runs the evaluator, on the direct line where there is one.
func runEvaluator(c *Call, in any) (string, error) {
	if f := ChosenFrame(c.Page); f != nil {
		return textOf(f.Evaluate(evaluator, in))
	}
	if text, ran, err := fastpath.Evaluate(c.Ctx, c.Page, evaluator, in); ran {
		return text, err
	}
	return textOf(runByDriver(c.Page, in))
}

func textOf(v any, err error) (string, error) {
	text, _ := v.(string)
	return text, err
}

// runByDriver runs the evaluator by the driver. Its text is sent with the first
// call in a document; from the second on it is there already, and called through
// DevTools, which spares Playwright's wrapping on both sides.
func runByDriver(p *browser.Page, in any) (any, error) {
	own := evaluated.Of(p)
	own.mu.Lock()
	id, again := own.id, own.used && p.HasDevTools()
	own.used = true
	own.mu.Unlock()
	if again && id == "" {
		id = keepEvaluator(p)
	}
	if !again || id == "" {
		return p.PW.Evaluate(evaluator, in)
	}
	reply, err := p.DevTools("Runtime.callFunctionOn", map[string]any{
		"objectId": id, "functionDeclaration": "function(call) { return this.run(call) }",
		"arguments":     []any{map[string]any{"value": in}},
		"returnByValue": true, "awaitPromise": true, "userGesture": true,
	})
	if browser.NotRun(err) {
		own.forget()
		return p.PW.Evaluate(evaluator, in)
	}
	if err != nil {
		return nil, err
	}
	return browser.RemoteValue(reply)
}

// keepEvaluator puts the evaluator into the document and returns its id there,
// "" if that can't be done now.
func keepEvaluator(p *browser.Page) string {
	reply, err := p.DevTools("Runtime.evaluate", map[string]any{"expression": "({run: " + evaluator + "})"})
	if err != nil {
		return ""
	}
	result, _ := reply["result"].(map[string]any)
	id, _ := result["objectId"].(string)
	evaluated.Of(p).keep(id, true)
	return id
}

// EvalError keeps the page's own words: the error's name and message, without
// the stack.
func (c *Call) EvalError(err error) error {
	if pwerrors.IsClosed(err) {
		return err
	}
	msg := pwerrors.CleanMessage(err)
	e := provider.AsError(c.Fail(err, ""))
	if pwerrors.IsLeft(err) {
		e.Msg, e.Hint = "the page navigated while the script ran", "wait for the new page, then evaluate again"
		return e
	}
	lines := strings.Split(strings.TrimPrefix(msg, "Error: "), "\n")
	text := lines[0]
	for _, line := range lines[1:] {
		if strings.HasPrefix(strings.TrimSpace(line), "at ") {
			break
		}
		text += " " + line
	}
	e.Msg = text
	e.Log = msg
	return e
}
