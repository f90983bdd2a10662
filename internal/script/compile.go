package script

import (
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/evanw/esbuild/pkg/api"
)

// compile makes an async function of the code. The value of a last expression
// is returned, as a console does. What the engine can't read (TypeScript,
// for await, async generators) is first written in older words.
func (r *Runtime) compile(code string) (goja.Value, error) {
	head := "(async (" + strings.Join(names, ", ") + ") => {"
	p, err := compileWhole(head + "\n" + code + "\n})")
	if err == nil {
		return r.vm.RunProgram(p)
	}
	// An object literal, or anything else that is no statement.
	if p, err2 := goja.Compile("script", head+"\nreturn (\n"+code+"\n)\n})", false); err2 == nil {
		return r.vm.RunProgram(p)
	}
	if older, ok := lower(head + "\n" + code + "\n})"); ok {
		if p, err2 := compileWhole(older); err2 == nil {
			return r.vm.RunProgram(p)
		}
	}
	if importing.MatchString(code) {
		return nil, &Failure{Name: "SyntaxError", Msg: "a script has require() instead of import"}
	}
	return nil, err
}

var importing = regexp.MustCompile(`(?m)^\s*import\s+[\w{*'"]`)

// compileWhole compiles a text that ends with the function.
func compileWhole(whole string) (*goja.Program, error) {
	prog, err := parser.ParseFile(nil, "script", whole, 0)
	if err != nil {
		return nil, err
	}
	if at := lastExpression(prog); at > 0 {
		// A position does not count the parentheses around an expression.
		for i := at - 2; i >= 0 && strings.IndexByte("( \t\r\n", whole[i]) >= 0; i-- {
			if whole[i] == '(' {
				at = i + 1
			}
		}
		if p, err := goja.Compile("script", whole[:at-1]+"return "+whole[at-1:], false); err == nil {
			return p, nil
		}
	}
	return goja.Compile("script", whole, false)
}

// lower writes TypeScript, and JavaScript newer than the engine, in words of
// ES2017, with a source map so that errors still name the caller's lines. ok
// is false where it is no TypeScript either.
func lower(whole string) (older string, ok bool) {
	res := api.Transform(whole, api.TransformOptions{Loader: api.LoaderTS, Target: api.ES2017,
		Sourcefile: "script", Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentExclude,
		TsconfigRaw: `{"compilerOptions": {"verbatimModuleSyntax": true}}`})
	return string(res.Code), len(res.Errors) == 0
}

// lastExpression finds where the function's last statement begins, if that is
// an expression; else 0. The function is the last statement of the program.
func lastExpression(prog *ast.Program) int {
	if len(prog.Body) == 0 {
		return 0
	}
	st, ok := prog.Body[len(prog.Body)-1].(*ast.ExpressionStatement)
	if !ok {
		return 0
	}
	fn, ok := st.Expression.(*ast.ArrowFunctionLiteral)
	if !ok {
		return 0
	}
	body, ok := fn.Body.(*ast.BlockStatement)
	if !ok || len(body.List) == 0 {
		return 0
	}
	if last, ok := body.List[len(body.List)-1].(*ast.ExpressionStatement); ok {
		return int(last.Idx0())
	}
	return 0
}
