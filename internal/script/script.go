// Package script runs JavaScript that drives a browser as people write it for
// Playwright, in an engine of its own: no Node, and no object but those given.
//
// A [Runtime] keeps an engine (goja), its event loop and the script's state
// from call to call. The bridge maps the JavaScript API onto playwright-go by
// reflection; prelude.js has what the two spell too differently. Every wait
// ends with the call's deadline: an endless loop is interrupted, a promise that
// does not settle is left behind, and calls into Playwright are given no more
// time than is left.
package script

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/require"
	"github.com/dop251/goja_nodejs/url"
	"github.com/playwright-community/playwright-go"
)

// The bounds of a script. maxMemory is how much the process may grow while one
// runs, in bytes; maxDepth is in calls; maxOutput in bytes of console text.
const (
	maxMemory = 512 << 20
	maxDepth  = 1500
	maxOutput = 1 << 20
)

// Host is what a script can reach besides the browser.
type Host struct {
	// Assertions makes expect(locator) and its kin.
	Assertions playwright.PlaywrightAssertions
	// Helpers are functions of the page at hand, by name: arguments come as
	// the script gave them, results are what Value turns into JSON, or a
	// []byte, or a value of playwright-go.
	Helpers map[string]func(ctx context.Context, args []any) (any, error)
	// Plain are functions that answer at once: they may not call the browser.
	Plain map[string]func(args []any) (any, error)
	// Selector turns refs into selectors of the driver's.
	Selector func(page playwright.Page, sel string) (string, error)
	// Folders are those in which scripts may read and write files.
	Folders []string
	// Describe words a page for a result.
	Describe func(page playwright.Page) string
}

// Line is a line that a script wrote to the console.
type Line struct {
	Level string `json:"level" doc:"log, info, warn, error, …"`
	Text  string `json:"text" doc:"line"`
}

// Result is what a script answered.
type Result struct {
	Value   json.RawMessage // nil for undefined
	Console []Line
	Images  [][]byte
}

// Runtime is an engine and what a script keeps in it.
type Runtime struct {
	host Host
	loop *loop
	vm   *goja.Runtime

	protos  map[string]*goja.Object
	handles map[any]*goja.Object // pages and contexts, which scripts compare
	native  *goja.Symbol         // the member that holds a Go value
	scope   *goja.Object         // what every script can name

	one     sync.Mutex // one script at a time
	dialogs dialogs

	// Of the script that runs; touched on the loop.
	call *execution
}

// execution is one run of a script.
type execution struct {
	ctx     context.Context
	page    playwright.Page
	console []Line
	written int
	images  [][]byte
}

//go:embed prelude.js
var prelude string

//go:embed modules.js
var modules string

//go:embed devtools.js
var devtools string

// New makes a runtime with an empty state.
func New(host Host) (*Runtime, error) {
	r := &Runtime{host: host, loop: newLoop(), vm: goja.New(), protos: map[string]*goja.Object{}, handles: map[any]*goja.Object{}}
	ready := make(chan error, 1)
	r.loop.post(func() { ready <- r.setUp() })
	return r, <-ready
}

// Close ends the runtime. Scripts that run end with an error.
func (r *Runtime) Close() {
	r.vm.Interrupt("the script's runtime was closed")
	r.loop.close()
}

func (r *Runtime) setUp() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("setting up the script engine: %v", p)
		}
	}()
	vm := r.vm
	vm.SetMaxCallStackSize(maxDepth)
	vm.SetFieldNameMapper(goja.TagFieldNameMapper("json", true))
	new(require.Registry).Enable(vm)
	buffer.Enable(vm)
	url.Enable(vm)
	r.native = goja.NewSymbol("native")
	r.defineClasses()
	n := vm.NewObject()
	r.defineNative(n)
	setup, err := vm.RunScript("prelude.js", prelude)
	if err != nil {
		return err
	}
	start, _ := goja.AssertFunction(setup)
	scope, err := start(goja.Undefined(), n)
	if err != nil {
		return err
	}
	r.scope = scope.ToObject(vm)
	for _, part := range []struct{ name, text string }{{"modules.js", modules}, {"devtools.js", devtools}} {
		fn, err := vm.RunScript(part.name, part.text)
		if err != nil {
			return err
		}
		start, _ = goja.AssertFunction(fn)
		if _, err = start(goja.Undefined(), n, r.scope); err != nil {
			return err
		}
	}
	return vm.GlobalObject().Delete("require") // scripts get their own, in the scope
}

// Run runs code on a page: an expression, or statements of which the last may
// be one, with await. It returns when the code has ended, with what it
// returned, or when ctx ends.
func (r *Runtime) Run(ctx context.Context, page playwright.Page, code string) (Result, error) {
	r.one.Lock()
	defer r.one.Unlock()
	x := &execution{ctx: ctx, page: page}
	done := make(chan outcome, 1)
	stop := r.watch(ctx)
	r.loop.post(func() {
		r.call = x
		r.start(x, code, func(o outcome) {
			select {
			case done <- o:
			default:
			}
		})
	})
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		// An endless loop is interrupted by now; the loop is free again soon.
		freed := make(chan struct{})
		r.loop.post(func() { close(freed) })
		select {
		case o = <-done:
		case <-freed:
			o.err = ctx.Err()
		case <-time.After(2 * time.Second):
			o.err = ctx.Err()
		}
	}
	stop()
	r.loop.clearAll()
	ended := make(chan Result, 1)
	r.loop.post(func() {
		r.vm.ClearInterrupt()
		if r.call == x {
			r.call = nil
		}
		ended <- Result{Value: o.value, Console: x.console, Images: x.images}
	})
	select {
	case res := <-ended:
		return res, o.err
	case <-time.After(2 * time.Second):
		return Result{Value: o.value}, o.err
	}
}

type outcome struct {
	value json.RawMessage
	err   error
}

// errMemory is what a script that takes too much memory ends with.
var errMemory = fmt.Errorf("the script took more than %d MiB of memory and was stopped", maxMemory>>20)

// watch interrupts the engine at the deadline, or when memory grows too much.
func (r *Runtime) watch(ctx context.Context) (stop func()) {
	ended := make(chan struct{})
	var gone sync.WaitGroup
	gone.Add(1)
	go func() {
		defer gone.Done()
		before := heap()
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ctx.Done():
				r.vm.Interrupt(ctx.Err())
				return
			case <-tick.C:
				if heap() > before+maxMemory {
					r.vm.Interrupt(errMemory)
					return
				}
			}
		}
	}()
	return func() { close(ended); gone.Wait() }
}

func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// start compiles and calls the code; end is called once it has settled.
func (r *Runtime) start(x *execution, code string, end func(outcome)) {
	fail := func(err error) { end(outcome{err: r.wordError(err)}) }
	fn, err := r.compile(code)
	if err != nil {
		fail(err)
		return
	}
	begin, _ := goja.AssertFunction(r.scope.Get("begin"))
	onEnd := func(call goja.FunctionCall) goja.Value {
		o := outcome{}
		if !goja.IsUndefined(call.Argument(0)) {
			o.err = r.thrown(call.Argument(0))
		} else if s, ok := call.Argument(1).Export().(string); ok {
			o.value = json.RawMessage(s)
		}
		end(o)
		return goja.Undefined()
	}
	if err := r.safely(func() error {
		_, err := begin(goja.Undefined(), fn, r.wrap(x.page), r.vm.ToValue(onEnd))
		return err
	}); err != nil {
		fail(err)
	}
}

// safely turns a panic inside the engine into an error.
func (r *Runtime) safely(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the script engine failed: %v", p)
		}
	}()
	return fn()
}

// names are what every script can name besides the language's own.
var names = []string{"page", "context", "browser", "state", "$", "console", "expect", "require", "fetch", "crypto",
	"setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "queueMicrotask",
	"process", "structuredClone", "atob", "btoa", "TextEncoder", "TextDecoder", "AbortController",
	"accessibilitySnapshot", "screenshotWithAccessibilityLabels", "showAriaRefLabels", "hideAriaRefLabels", "getCleanHTML", "waitForPageLoad",
	"getLatestLogs", "getCDPSession", "createDebugger", "createEditor", "getStylesForLocator", "formatStylesAsText", "getReactSource"}

// compile makes an async function of the code. The value of a last expression
// is returned, as a console does.
func (r *Runtime) compile(code string) (goja.Value, error) {
	head := "(async (" + strings.Join(names, ", ") + ") => {"
	whole := head + "\n" + code + "\n})"
	prog, err := parser.ParseFile(nil, "script", whole, 0)
	if err != nil {
		// An object literal, or anything else that is no statement.
		if prog, err2 := goja.Compile("script", head+"\nreturn (\n"+code+"\n)\n})", false); err2 == nil {
			return r.vm.RunProgram(prog)
		}
		return nil, err
	}
	if at := lastExpression(prog); at > 0 {
		// A position does not count the parentheses around an expression.
		for i := at - 2; i >= 0 && strings.IndexByte("( \t\r\n", whole[i]) >= 0; i-- {
			if whole[i] == '(' {
				at = i + 1
			}
		}
		returned := whole[:at-1] + "return " + whole[at-1:]
		if p, err := goja.Compile("script", returned, false); err == nil {
			return r.vm.RunProgram(p)
		}
	}
	p, err := goja.Compile("script", whole, false)
	if err != nil {
		return nil, err
	}
	return r.vm.RunProgram(p)
}

// lastExpression finds where the function's last statement begins, if that is
// an expression; else 0.
func lastExpression(prog *ast.Program) int {
	if len(prog.Body) != 1 {
		return 0
	}
	st, ok := prog.Body[0].(*ast.ExpressionStatement)
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

// Failure is a script that threw.
type Failure struct {
	Name, Msg string
	Line      int // in the script, 0 if not known
}

func (f *Failure) Error() string {
	s := f.Msg
	if f.Name != "" && f.Name != "Error" && !strings.HasPrefix(s, f.Name) {
		s = f.Name + ": " + s
	}
	if f.Line > 0 {
		s += fmt.Sprintf(" (line %d of the script)", f.Line)
	}
	return s
}

// wordError words an error of the engine.
func (r *Runtime) wordError(err error) error {
	var i *goja.InterruptedError
	var ex *goja.Exception
	var so *goja.StackOverflowError
	switch {
	case errors.As(err, &i):
		if cause, ok := i.Value().(error); ok {
			return cause
		}
		return errors.New(fmt.Sprint(i.Value()))
	case errors.As(err, &so):
		return &Failure{Name: "RangeError", Msg: fmt.Sprintf("calls are nested more than %d deep", maxDepth)}
	case errors.As(err, &ex):
		return r.thrown(ex.Value())
	}
	return &Failure{Name: "SyntaxError", Msg: syntaxMessage(err)}
}

// syntaxMessage names the line as the caller counts it: the code begins on the
// second line of what is compiled.
func syntaxMessage(err error) string {
	var list parser.ErrorList
	var one *parser.Error
	switch {
	case errors.As(err, &list) && len(list) > 0:
		one = list[0]
	case !errors.As(err, &one):
		return strings.TrimPrefix(err.Error(), "SyntaxError: ")
	}
	return fmt.Sprintf("%s (line %d)", one.Message, one.Position.Line-1)
}

// thrown words a thrown value.
func (r *Runtime) thrown(v goja.Value) error {
	o, ok := v.(*goja.Object)
	if !ok {
		return &Failure{Msg: v.String()}
	}
	text := func(name string) string {
		if m := o.Get(name); m != nil && !goja.IsUndefined(m) {
			return m.String()
		}
		return ""
	}
	f := &Failure{Name: text("name"), Msg: text("message")}
	if f.Name == "GoError" { // of a function of ours
		f.Name = ""
	}
	if f.Msg == "" {
		f.Msg = v.String()
	}
	f.Line = scriptLine(text("stack"))
	return f
}

// scriptLine finds the topmost line of the script in a stack.
func scriptLine(stack string) int {
	for line := range strings.Lines(stack) {
		_, rest, ok := strings.Cut(line, "script:")
		if !ok || strings.Contains(line, "prelude.js") {
			continue
		}
		var n int
		if _, err := fmt.Sscanf(rest, "%d:", &n); err == nil && n > 1 {
			return n - 1
		}
	}
	return 0
}
