package read

import (
	_ "embed"
	"encoding/json"

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
	Code string `json:"code" doc:"expression, or function to call"`
}

// evaluate is page.evaluate.
func evaluate(c *tool.Call, in evalParams) (json.RawMessage, error) { return c.Evaluate(in.Code, nil) }
