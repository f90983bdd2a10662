package tool

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

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
	var in any = headed(code, *c.Left())
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

var (
	reFunction = regexp.MustCompile(`^(async)?\s*function(\s|\(|\*)`)
	reAwait    = regexp.MustCompile(`\bawait\b`)
)

// headed is code as the evaluator takes it, with the milliseconds that it may take.
func headed(code string, patience float64) string {
	code, awaits := strings.TrimSpace(code), "-"
	if reFunction.MatchString(code) {
		code = "(" + code + ")"
	}
	if reAwait.MatchString(code) {
		awaits = "a"
	}
	return fmt.Sprintf("/*%010.0f%s*/%s", min(max(patience, 0), 1e9), awaits, code)
}

// JSLiteral is JSON as part of a script.
func JSLiteral(raw json.RawMessage) string {
	return strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`).Replace(string(raw))
}

// runEvaluator runs the evaluator, on the direct line where there is one.
func runEvaluator(c *Call, in any) (string, error) {
	if ChosenFrame(c.Page) == nil {
		if text, ran, err := fastpath.Evaluate(c.Ctx, c.Page, evaluator, in); ran {
			return text, err
		}
	}
	v, err := Frame(c.Page).Evaluate(evaluator, in)
	text, _ := v.(string)
	return text, err
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
