package playscript

import (
	"bytes"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Around a script, for esbuild to take return and await in it.
const (
	before = "async function script() {\n"
	after  = "\n}"
)

// lower writes TypeScript in words that Node reads, with a source map so that
// errors still name the caller's lines. What it can't read either is answered
// with a reason.
func lower(code string) (reply, error) {
	if err := checkSource(code); err != nil {
		return reply{map[string]any{"why": err.Error(), "unread": true}, nil}, nil
	}
	res := api.Transform(before+code+after, api.TransformOptions{Loader: api.LoaderTS, Target: api.ES2022,
		Sourcefile: "script", Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude,
		TsconfigRaw: `{"compilerOptions": {"verbatimModuleSyntax": true}}`})
	if len(res.Errors) > 0 {
		why := map[string]any{"why": res.Errors[0].Text}
		if at := res.Errors[0].Location; at != nil {
			why["line"] = at.Line - strings.Count(before, "\n")
		}
		return reply{why, nil}, nil
	}
	text := string(res.Code)
	start, end := strings.IndexByte(text, '\n')+1, strings.LastIndexByte(text, '}')
	if start == 0 || end < start { // an empty one
		start, end = 0, 0
	}
	body := text[start:end]
	return reply{map[string]any{"length": len(body), "before": 1}, append([]byte(body), bytes.TrimSpace(res.Map)...)}, nil
}
