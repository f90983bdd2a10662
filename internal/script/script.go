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
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/require"
	"github.com/dop251/goja_nodejs/url"
	"github.com/playwright-community/playwright-go"
	"golang.org/x/text/collate"
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
	// Frames are a page's frames, the main frame first.
	Frames func(page playwright.Page) []playwright.Frame
	// Loaded waits until a frame has reached a load state.
	Loaded func(ctx context.Context, f playwright.Frame, state string, within time.Duration) error
	// Rules judge what leads out of a script. They are asked on the script's
	// goroutine, so they may not call the browser.
	Rules Rules
	// HAR reads a HAR that is to be replayed and answers the path of a copy
	// that is safe to hand on, there until done is called.
	HAR func(path string) (usable string, done func(), err error)
	// Recorded is told of HARs that scripts have had recorded; nil for none.
	Recorded func(c playwright.BrowserContext, path string)
	// Reword puts right what the browser said of a URL that it could not reach.
	Reword func(self any, url string, err error) error
	// Folders are those in which scripts may read and write files: relative
	// paths begin in the first, the last is for temporary ones.
	Folders []string
	// Mask hides secrets in texts that scripts write to files; nil for none.
	Mask func(string) string
	// Explain says what is the matter with the element that a call waited for
	// in vain with an error, "" if it can't be told at once.
	Explain func(l playwright.Locator, sel string, err error) string
	// Describe words a page for a result.
	Describe func(page playwright.Page) string
	// Unlisted tells the names that the listing of a folder leaves out.
	Unlisted func(name string) bool
	// Shared tells the folders that hold what is others' too: they can't be
	// removed, moved or uploaded as a whole.
	Shared func(path string) bool
	// Spent is told when the engine was given up between calls, and why.
	Spent func(why error)
	// Own is what of the browser is the script's to use.
	Own Own
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

	builtin builtin
	protos  map[string]*goja.Object
	held    held
	handles map[any]*goja.Object // pages and contexts, which scripts compare

	listeners    map[int]func() // what ends them, by number
	lastListener int

	defaults  map[any]*defaults            // of pages and contexts, set by scripts
	collators map[string]*collate.Collator // of localeCompare, by locale and options

	natives natives // the engine's own functions, and their bounds
	turning turning
	watched

	back    atomic.Pointer[chan struct{}] // closed when the engine has come back from an interrupt
	one     chan struct{}                 // holds a token while a script runs: one at a time
	closed  chan struct{}                 // closed with the runtime
	closing sync.Once
	dialogs dialogs

	// Of the script that runs; touched on the loop.
	call     *execution
	rejected map[*goja.Promise]bool // promises that nobody has caught yet
}

// execution is one run of a script.
type execution struct {
	ctx     context.Context
	page    playwright.Page
	stopped chan error // why it was stopped
	console []Line
	written int
	images  [][]byte
}

//go:embed *.js
var scripts embed.FS

// files are what a new engine runs, in this order. Each is a function of what is
// native and of the scope, which the first one makes.
var files = []string{"prelude.js", "language.js", "formats.js", "values.js", "handles.js", "locators.js", "routes.js", "fetch.js", "expect.js", "modules.js", "devtools.js"}

// programs are compiled once for all engines.
var programs = sync.OnceValues(func() ([]*goja.Program, error) {
	var list []*goja.Program
	for _, name := range files {
		code, err := scripts.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p, err := goja.Compile(name, string(code), false)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
})

// New makes a runtime with an empty state.
func New(host Host) (*Runtime, error) {
	r := bare(host)
	if err := r.enlist(); err != nil {
		r.loop.close()
		return nil, err
	}
	ready := make(chan error, 1)
	r.loop.post(func() { ready <- r.setUp() })
	if err := <-ready; err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// bare is a runtime whose engine is still to be set up.
func bare(host Host) *Runtime {
	raiseStack()
	r := &Runtime{host: host, one: make(chan struct{}, 1), closed: make(chan struct{}), vm: goja.New(), protos: map[string]*goja.Object{}, handles: map[any]*goja.Object{},
		held: held{of: map[weak.Pointer[goja.Object]]any{}}, listeners: map[int]func(){}, rejected: map[*goja.Promise]bool{},
		collators: map[string]*collate.Collator{}, defaults: map[any]*defaults{}}
	r.measured = allocated()
	r.loop = newLoop(r.atWork)
	return r
}

var errClosed = errors.New("the session was closed while the script ran")

// Close ends the runtime. Scripts that run end with an error.
func (r *Runtime) Close() {
	r.closing.Do(func() { close(r.closed) })
	r.strike()
	r.loop.close()
	r.stop(errClosed)
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
	require.NewRegistry(require.WithLoader(noFiles)).Enable(vm)
	buffer.Enable(vm)
	url.Enable(vm)
	if err := vm.GlobalObject().Delete("require"); err != nil { // scripts get their own, in the scope
		return err
	}
	if err := r.boundIntrinsics(); err != nil {
		return err
	}
	vm.SetPromiseRejectionTracker(r.track)
	if err := r.takeBuiltin(); err != nil {
		return err
	}
	r.defineClasses()
	n := vm.CreateObject(nil)
	r.defineNative(n)
	list, err := programs()
	if err != nil {
		return err
	}
	var scope goja.Value = goja.Undefined()
	for i, p := range list {
		v, err := vm.RunProgram(p)
		if err != nil {
			return err
		}
		start, _ := goja.AssertFunction(v)
		made, err := start(goja.Undefined(), n, scope)
		if err != nil {
			return fmt.Errorf("%s: %w", files[i], err)
		}
		if i == 0 {
			scope = made
		}
	}
	r.builtin.begin, _ = goja.AssertFunction(scope.ToObject(vm).Get("begin"))
	r.builtin.settle, _ = goja.AssertFunction(scope.ToObject(vm).Get("settle"))
	return r.lock()
}

// noFiles is what the engine's modules load files by.
func noFiles(string) ([]byte, error) { return nil, require.ModuleFileDoesNotExistError }

// Run runs code on a page: an expression, or statements of which the last may
// be one, with await. It returns when the code has ended, with what it
// returned, or when ctx ends.
func (r *Runtime) Run(ctx context.Context, page playwright.Page, code string) (Result, error) {
	select {
	case r.one <- struct{}{}:
		defer func() { <-r.one }()
	case <-ctx.Done(): // it was not its turn before its time was over
		return Result{}, ctx.Err()
	}
	switch {
	case r.busy():
		return Result{}, ErrStuck
	case r.spent.Load():
		return Result{}, errKept
	}
	x := &execution{ctx: ctx, page: page, stopped: make(chan error, 1)}
	done := make(chan outcome, 1)
	r.low.Store(heap())
	r.running.Store(x)
	defer r.running.Store(nil)
	end := r.watch(ctx)
	r.loop.post(func() {
		unwind(r.vm) // calls that were nested too deep leave frames there, as an interrupt does
		r.call = x
		r.rejected = map[*goja.Promise]bool{}
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
		if end(); r.halted.Load() { // in the very moment that it ended
			r.recover()
		}
	case cause := <-x.stopped:
		end()
		o = r.afterStop(done, cause)
	case <-r.closed: // nothing of it is run any more
		end()
		return Result{}, errClosed
	}
	r.loop.clearAll()
	return r.finish(x, o)
}

// afterStop is the outcome of a script that was stopped: what it still said by
// itself, or why it was stopped.
func (r *Runtime) afterStop(done chan outcome, cause error) outcome {
	r.recover()
	select {
	case o := <-done:
		return o
	default:
	}
	if r.busy() {
		cause = errors.Join(cause, ErrDeaf)
	}
	return outcome{err: cause}
}

// finish ends a run on the loop and collects what it left.
func (r *Runtime) finish(x *execution, o outcome) (Result, error) {
	if r.busy() { // it may still write there
		return Result{}, o.err
	}
	type end struct {
		result Result
		err    error
	}
	ended := make(chan end, 1)
	r.loop.post(func() {
		r.sayRejected(o.err)
		if n := r.dropped.Swap(0); n > 0 {
			r.print("warn", fmt.Sprintf("%d events came faster than the listeners worked and were left out", n))
		}
		r.call = nil
		err := o.err
		if r.keptTooMuch() {
			r.spent.Store(true)
			err = errKept
		}
		ended <- end{Result{Value: o.value, Console: x.console, Images: x.images}, err}
	})
	select {
	case e := <-ended:
		return e.result, e.err
	case <-r.closed:
		return Result{}, o.err
	}
}

// track notes the promises that were rejected, and those that were caught
// after all.
func (r *Runtime) track(p *goja.Promise, op goja.PromiseRejectionOperation) {
	if op == goja.PromiseRejectionReject {
		r.rejected[p] = true
		return
	}
	delete(r.rejected, p)
}

// sayRejected writes to the console what nobody caught: a promise that was not
// awaited. The error that ended the script is told already.
func (r *Runtime) sayRejected(ended error) {
	for p := range r.rejected {
		if err := r.thrown(p.Result()); ended == nil || err.Error() != ended.Error() {
			r.print("error", "nobody awaited this: "+err.Error())
		}
	}
}

type outcome struct {
	value json.RawMessage
	err   error
}

// start compiles and calls the code; end is called once it has settled.
func (r *Runtime) start(x *execution, code string, end func(outcome)) {
	fail := func(err error) { end(outcome{err: r.wordError(err)}) }
	fn, err := r.compile(code)
	if err != nil {
		fail(err)
		return
	}
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
		_, err := r.builtin.begin(goja.Undefined(), fn, r.wrap(x.page), r.vm.ToValue(onEnd))
		return err
	}); err != nil {
		fail(err)
	}
}

// safely turns a panic inside the engine into an error.
func (r *Runtime) safely(fn func() error) (err error) {
	defer func() {
		p := recover()
		if o, ok := p.(*goja.Object); ok { // an error of ours, thrown where no script runs
			err = r.thrown(o)
		} else if p != nil {
			err = fmt.Errorf("the script engine failed: %v", p)
		}
	}()
	return fn()
}

// names are what every script can name besides the language's own.
var names = []string{"page", "context", "browser", "state", "$", "console", "expect", "require", "fetch", "crypto",
	"setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "queueMicrotask",
	"process", "performance", "structuredClone", "atob", "btoa", "TextEncoder", "TextDecoder", "AbortController", "AbortSignal",
	"Headers", "Response", "FormData", "Blob", "File", "$import",
	"accessibilitySnapshot", "screenshotWithAccessibilityLabels", "showAriaRefLabels", "hideAriaRefLabels", "getCleanHTML", "waitForPageLoad",
	"getLatestLogs", "getCDPSession", "createDebugger", "createEditor", "getStylesForLocator", "formatStylesAsText", "getReactSource"}
