package handlers

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"pwpipe/provider"
)

func evalTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(Core.Acts("eval", "Evaluate", "Evaluate JavaScript in the page; its JSON value"), evaluate),
	}
}

type evalParams struct {
	Code string `json:"code" doc:"expression, or function to call"`
}

// evaluator runs in the page: it evaluates the code and turns the value into
// JSON text. playwright-go's own conversion loses large numbers, and a value
// that JSON can't hold would leave the request without a reply.
//
//go:embed eval.js
var evaluator string

// evaluate is page.evaluate.
func evaluate(c *call, in evalParams) (json.RawMessage, error) { return c.evaluate(in.Code, nil) }

// evaluate runs code in the page, given to a function it evaluates to.
func (c *call) evaluate(code string, arg any) (json.RawMessage, error) {
	var in any = fmt.Sprintf("%.0f %s", *c.left(), code)
	if arg != nil {
		in = []any{in, arg}
	}
	v, err := c.runEvaluator(in)
	if err != nil {
		return nil, c.evalError(err)
	}
	out, _ := v.(string)
	switch {
	case strings.HasPrefix(out, "=") && json.Valid([]byte(out[1:])):
		return json.RawMessage(out[1:]), nil
	case strings.HasPrefix(out, "!"):
		return nil, provider.Errorf(provider.KindFailed, "%s", out[1:])
	case out == "?":
		return nil, provider.Errorf(provider.KindTimeout, "the promise did not settle within %s on %s",
			seconds(provider.RequestFrom(c.ctx).Deadline), c.where())
	}
	return nil, provider.Errorf(provider.KindFailed, "the page broke the evaluation")
}

// evaluated is what a page's document has of the evaluator.
var evaluated = State[*page, evaluatorIn]{New: func(p *page) *evaluatorIn {
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

// runEvaluator runs the evaluator. Its text is sent with the first call in a
// document; from the second on it is there already, and called through
// DevTools, which spares Playwright's wrapping on both sides.
func (p *page) runEvaluator(in any) (any, error) {
	if f := p.chosenFrame(); f != nil {
		return f.Evaluate(evaluator, in)
	}
	own := evaluated.Of(p)
	own.mu.Lock()
	id, again := own.id, own.used && p.hasDevTools()
	own.used = true
	own.mu.Unlock()
	if again && id == "" {
		id = p.keepEvaluator()
	}
	if !again || id == "" {
		return p.pw.Evaluate(evaluator, in)
	}
	reply, err := p.devtools("Runtime.callFunctionOn", map[string]any{
		"objectId": id, "functionDeclaration": "function(call) { return this.run(call) }",
		"arguments":     []any{map[string]any{"value": in}},
		"returnByValue": true, "awaitPromise": true, "userGesture": true,
	})
	if notRun(err) {
		own.forget()
		return p.pw.Evaluate(evaluator, in)
	}
	if err != nil {
		return nil, err
	}
	return remoteValue(reply)
}

// keepEvaluator puts the evaluator into the document and returns its id there,
// "" if that can't be done now.
func (p *page) keepEvaluator() string {
	reply, err := p.devtools("Runtime.evaluate", map[string]any{"expression": "({run: " + evaluator + "})"})
	if err != nil {
		return ""
	}
	result, _ := reply["result"].(map[string]any)
	id, _ := result["objectId"].(string)
	evaluated.Of(p).keep(id, true)
	return id
}

// evalError keeps the page's own words: the error's name and message, without
// the stack.
func (c *call) evalError(err error) error {
	if isClosed(err) {
		return err
	}
	msg := cleanMessage(err)
	e := provider.AsError(c.fail(err, ""))
	if strings.Contains(msg, "Execution context was destroyed") || strings.Contains(msg, "Inspected target navigated") ||
		strings.Contains(msg, "Promise was collected") {
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
