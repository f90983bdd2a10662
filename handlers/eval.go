package handlers

import (
	_ "embed"
	"encoding/json"
	"strings"
	"time"

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
	deadline, _ := c.ctx.Deadline()
	v, err := c.pw.Evaluate(evaluator, []any{code, time.Until(deadline).Milliseconds(), arg})
	if err != nil {
		return nil, c.evalError(err)
	}
	out, _ := v.([]any)
	if len(out) != 2 {
		return nil, provider.Errorf(provider.KindFailed, "the page broke the evaluation")
	}
	text, _ := out[1].(string)
	switch out[0] {
	case "json":
		if !json.Valid([]byte(text)) {
			return nil, provider.Errorf(provider.KindFailed, "the page broke the evaluation")
		}
		return json.RawMessage(text), nil
	case "late":
		at := c.where()
		return nil, provider.Errorf(provider.KindTimeout, "the promise did not settle within %s on %s",
			seconds(provider.RequestFrom(c.ctx).Timeout), at)
	}
	return nil, provider.Errorf(provider.KindFailed, "%s", text)
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
