package script

import (
	"io/fs"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/evanw/esbuild/pkg/api"
)

// scriptFile is the name of a script's code where it needs one.
const scriptFile = "script"

// head and tail stand around a script. What it can name are the parameters of
// an outer function, so that it may declare the same names itself; what it
// assigned to state is kept.
var head, tail = "((" + strings.Join(names, ", ") + ") => [async () => {\n", "\n}, () => state])"

// compile makes a function of the code, which returns the script itself, an
// async function, and one that tells its state. The value of a last expression
// is returned, as a console does. What the engine can't read (TypeScript,
// for await, async generators, imports) is first written in other words.
func (r *Runtime) compile(code string) (goja.Value, error) {
	p, err := compileScript(code)
	if required := withRequire(code); err != nil && required != code {
		p, err = compileScript(required)
	}
	if err != nil {
		return nil, err
	}
	return r.vm.RunProgram(p)
}

func compileScript(code string) (*goja.Program, error) {
	p, err := compileWhole(head + code + tail)
	if err == nil {
		return p, nil
	}
	// An object literal, or anything else that is no statement.
	if p, err := compileText(head + "return (\n" + code + "\n)" + tail); err == nil {
		return p, nil
	}
	if older, ok := lower(head + code + tail); ok {
		if p, err := compileWhole(older); err == nil {
			return p, nil
		}
	}
	return nil, err
}

// compileWhole compiles a text that ends with the function.
func compileWhole(whole string) (*goja.Program, error) {
	prog, err := parser.ParseFile(nil, scriptFile, whole, 0, noSourceMaps)
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
		if p, err := compileText(whole[:at-1] + "return " + whole[at-1:]); err == nil {
			return p, nil
		}
	}
	return compileText(whole)
}

// compileText compiles a text of a script's. A source map is only read where it
// is in the text itself: else the parser would open the file that a comment
// names.
func compileText(text string) (*goja.Program, error) {
	prog, err := goja.Parse(scriptFile, text, noSourceMaps)
	if err != nil {
		return nil, err
	}
	return goja.CompileAST(prog, false)
}

var noSourceMaps = parser.WithSourceMapLoader(func(string) ([]byte, error) { return nil, fs.ErrNotExist })

// lower writes TypeScript, and JavaScript newer than the engine, in words of
// ES2017, with a source map so that errors still name the caller's lines. ok
// is false where it is no TypeScript either.
func lower(whole string) (older string, ok bool) {
	res := api.Transform(whole, api.TransformOptions{Loader: api.LoaderTS, Target: api.ES2017,
		Sourcefile: scriptFile, Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentExclude,
		TsconfigRaw: `{"compilerOptions": {"verbatimModuleSyntax": true}}`})
	return string(res.Code), len(res.Errors) == 0
}

// lastExpression finds where the script's last statement begins, if that is an
// expression; else 0.
func lastExpression(prog *ast.Program) int {
	if len(prog.Body) == 0 {
		return 0
	}
	st, ok := prog.Body[len(prog.Body)-1].(*ast.ExpressionStatement)
	if !ok {
		return 0
	}
	outer, ok := st.Expression.(*ast.ArrowFunctionLiteral)
	if !ok {
		return 0
	}
	pair, ok := outer.Body.(*ast.ExpressionBody)
	if !ok {
		return 0
	}
	list, ok := pair.Expression.(*ast.ArrayLiteral)
	if !ok || len(list.Value) == 0 {
		return 0
	}
	fn, ok := list.Value[0].(*ast.ArrowFunctionLiteral)
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
