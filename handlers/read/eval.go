package read

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// EvalTools is core's eval.
func EvalTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Core.Acts("eval", "Evaluate", "Evaluate JavaScript in the page; its JSON value"), evaluate),
	}
}

type evalParams struct {
	Code string          `json:"code" doc:"expression, or function to call"`
	Arg  json.RawMessage `json:"arg,omitempty" doc:"any JSON" alias:"only"`
}

// evaluate is page.evaluate; of an alias that takes arg, with that.
func evaluate(c *tool.Call, in evalParams) (json.RawMessage, error) {
	if in.Arg == nil {
		return c.Evaluate(in.Code, nil)
	}
	const withArg = `() => {
		const arg = %s, value = (%s
);
		return typeof value === 'function' ? value(arg) : value;
	}`
	return c.Evaluate(fmt.Sprintf(withArg, tool.JSLiteral(in.Arg), in.Code), nil)
}
