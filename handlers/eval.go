package handlers

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"pwpipe/provider"
)

func evalTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(core("eval", "Evaluate", "Evaluate JavaScript in the page; its JSON value", 10, provider.Acts), evaluate),
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
			seconds(provider.RequestFrom(c.ctx).Timeout), c.where())
	}
	return nil, provider.Errorf(provider.KindFailed, "the page broke the evaluation")
}

// runEvaluator runs the evaluator. Its text is sent with the first call in a
// document; from the second on a handle to it saves sending it.
func (p *page) runEvaluator(in any) (any, error) {
	if f := p.chosenFrame(); f != nil {
		return f.Evaluate(evaluator, in)
	}
	p.mu.Lock()
	handle, first := p.evaluator, !p.evaluated
	p.evaluated = true
	p.mu.Unlock()
	if first {
		return p.pw.Evaluate(evaluator, in)
	}
	if handle == nil {
		var err error
		if handle, err = p.pw.EvaluateHandle("() => ({run: " + evaluator + "})"); err != nil {
			return nil, err
		}
		p.mu.Lock()
		p.evaluator = handle
		p.mu.Unlock()
	}
	return handle.Evaluate("(h, call) => h.run(call)", in)
}

// forgetDocument drops what belongs to a document that is being left.
func (p *page) forgetDocument() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.evaluator, p.evaluated = nil, false
	p.chosen = nil
}

// evalError keeps the page's own words: the error's name and message, without
// the stack.
func (c *call) evalError(err error) error {
	if isClosed(err) {
		return err
	}
	msg := cleanMessage(err)
	e := provider.AsError(c.fail(err, ""))
	if strings.Contains(msg, "Execution context was destroyed") {
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
