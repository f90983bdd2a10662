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
	v, err := r.vm.RunProgram(p)
	if err != nil {
		return nil, err
	}
	return r.guarded(v), nil
}

func compileScript(code string) (*goja.Program, error) {
	p, err := program(head+code+tail, returnLast)
	if err == nil || overBound(err) {
		return p, err
	}
	// An object literal, or anything else that is no statement.
	if p, err := program(head+"return (\n"+code+"\n)"+tail, nil); err == nil {
		return p, nil
	}
	if older, ok := lower(head + code + tail); ok {
		if p, err := program(older, returnLast); err == nil || overBound(err) {
			return p, err
		}
	}
	return nil, err
}

// noSourceMaps has a source map only read where it is in the text itself: else
// the parser would open the file that a comment names.
var noSourceMaps = parser.WithSourceMapLoader(func(string) ([]byte, error) { return nil, fs.ErrNotExist })

// lower writes TypeScript, and JavaScript newer than the engine, in words of
// ES2017, with a source map so that errors still name the caller's lines. ok
// is false where it is no TypeScript either.
func lower(whole string) (older string, ok bool) {
	if checkSource(whole, ofLower) != nil {
		return "", false
	}
	res := api.Transform(whole, api.TransformOptions{Loader: api.LoaderTS, Target: api.ES2017,
		Sourcefile: scriptFile, Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentExclude,
		TsconfigRaw: `{"compilerOptions": {"verbatimModuleSyntax": true}}`})
	return string(res.Code), len(res.Errors) == 0
}

// returnLast has the value of a last expression returned.
func returnLast(tree *ast.Program) {
	around := wrapper(tree)
	if around == nil {
		return
	}
	pair := around.Body.(*ast.ExpressionBody).Expression.(*ast.ArrayLiteral)
	fn, ok := pair.Value[0].(*ast.ArrowFunctionLiteral)
	if !ok {
		return
	}
	body, ok := fn.Body.(*ast.BlockStatement)
	if !ok || len(body.List) == 0 {
		return
	}
	if last, ok := body.List[len(body.List)-1].(*ast.ExpressionStatement); ok {
		body.List[len(body.List)-1] = &ast.ReturnStatement{Return: last.Idx0(), Argument: last.Expression}
	}
}

// wrapper is the function that head and tail make, nil if the tree has another
// form.
func wrapper(tree *ast.Program) *ast.ArrowFunctionLiteral {
	if len(tree.Body) == 0 {
		return nil
	}
	st, ok := tree.Body[len(tree.Body)-1].(*ast.ExpressionStatement)
	if !ok {
		return nil
	}
	outer, ok := st.Expression.(*ast.ArrowFunctionLiteral)
	if !ok {
		return nil
	}
	value, ok := outer.Body.(*ast.ExpressionBody)
	if !ok {
		return nil
	}
	if pair, ok := value.Expression.(*ast.ArrayLiteral); !ok || len(pair.Value) != 2 {
		return nil
	}
	return outer
}
