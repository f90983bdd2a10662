package script

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"time"

	"github.com/dop251/goja"
	"github.com/google/uuid"
	"github.com/playwright-community/playwright-go"
)

// defineNative gives the prelude what it builds on.
func (r *Runtime) defineNative(n *goja.Object) {
	protos := r.vm.NewObject()
	list := make([]any, len(names))
	for i, name := range names {
		list[i] = name
	}
	for class, p := range r.protos {
		_ = protos.Set(class, p)
	}
	for name, v := range map[string]any{
		"protos": protos, "maxListeners": maxListeners, "names": r.vm.NewArray(list...), "call": r.callMember, "classOf": r.className, "describe": r.describe,
		"on": r.listen, "off": r.unlisten, "print": r.print, "helper": r.helper, "plain": r.plain, "assertions": r.assertions,
		"image": r.image, "left": r.timeLeft, "waitTime": r.jsWaitTime, "loadTime": r.loadTime, "compiles": compiles, "source": source, "importing": importing, "re2": r.re2, "collate": r.collate, "zone": time.Local.String(),
		"timer": r.timer, "clearTimer": r.loop.clear, "page": r.currentPage, "frames": r.frames, "loaded": r.loaded, "fs": r.fs,
		"hash": r.hash, "random": r.random, "uuid": uuid.NewString, "zip": r.zip, "sep": string(filepath.Separator),
		"platform": nodePlatform(), "arch": nodeArch(), "started": time.Now().UnixMilli(), "tmp": r.host.temp(), "cwd": r.host.home(),
	} {
		_ = n.Set(name, r.vm.ToValue(r.throwing(v)))
	}
}

// throwing is a Go function for the prelude. Its error is thrown as a plain one:
// the engine's own would hold the Go value, and let a script look into it.
func (r *Runtime) throwing(fn any) any {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.Type().NumOut() == 0 || v.Type().Out(v.Type().NumOut()-1) != reflect.TypeFor[error]() {
		return fn
	}
	t := v.Type()
	var in, out []reflect.Type
	for i := range t.NumIn() {
		in = append(in, t.In(i))
	}
	for i := range t.NumOut() - 1 {
		out = append(out, t.Out(i))
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, t.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		results := v.Call(args)
		if err, _ := results[len(out)].Interface().(error); err != nil {
			panic(r.jsError(err))
		}
		return results[:len(out)]
	}).Interface()
}

func nodePlatform() string {
	if runtime.GOOS == "windows" {
		return "win32"
	}
	return runtime.GOOS
}

func nodeArch() string {
	if runtime.GOARCH == "amd64" {
		return "x64"
	}
	return runtime.GOARCH
}

func compiles(code string) bool {
	if checkSource(code, ofEval) != nil {
		return false
	}
	_, err := goja.Parse("", code, noSourceMaps) // compiling works out what is constant, 1n << 2n ** 40n too
	return err == nil
}

// callMember makes a call for the prelude: of an object, and by a member that
// the table has.
func (r *Runtime) callMember(call goja.FunctionCall) goja.Value {
	self, ok := r.unwrap(call.Argument(0))
	if !ok {
		panic(r.vm.NewTypeError("this was called on something that is not Playwright's"))
	}
	e := theTable().find(classOf(self), call.Argument(1).String())
	if e == nil || !e.callable() {
		panic(r.vm.NewTypeError("there is no %s.%s to call", classOf(self), call.Argument(1)))
	}
	return r.invoke(e, self, call.Arguments[2:])
}

func (r *Runtime) className(v goja.Value) string {
	self, ok := r.unwrap(v)
	if !ok {
		return ""
	}
	return classOf(self)
}

// frames are a page's, of the host: playwright-go's own list is wrong once a
// frame has been removed.
func (r *Runtime) frames(page goja.Value) (goja.Value, error) {
	self, _ := r.unwrap(page)
	pw, ok := self.(playwright.Page)
	if !ok || r.host.Frames == nil {
		return nil, errors.New("page.frames was called on something else")
	}
	return r.toJS(r.host.Frames(pw)), nil
}

// loaded waits for a load state of a page or a frame, of the host:
// playwright-go knows none of a document that was there before it.
func (r *Runtime) loaded(call goja.FunctionCall) goja.Value {
	self, _ := r.unwrap(call.Argument(0))
	frame, ok := self.(playwright.Frame)
	if page, is := self.(playwright.Page); is {
		frame, ok = page.MainFrame(), true
	}
	if r.call == nil {
		panic(r.vm.NewTypeError("no script runs"))
	}
	within, _ := r.left()
	if t := call.Argument(2); isMissing(t) {
		within = min(within, r.patience(self, "WaitForLoadState"))
	} else if t.ToFloat() > 0 { // 0 is no limit
		within = min(within, t.ToFloat())
	}
	state, ctx := call.Argument(1).String(), r.call.ctx
	return r.promise(apiName(classOf(self), "waitForLoadState"), func() (any, error) {
		switch {
		case !ok || r.host.Loaded == nil:
			return nil, errors.New("this was called on something else")
		case !slices.Contains([]string{"load", "domcontentloaded", "networkidle", "commit"}, state):
			return nil, fmt.Errorf("state: expected one of (load|domcontentloaded|networkidle|commit), got %q", state)
		}
		return none{}, r.host.Loaded(ctx, frame, state, time.Duration(within)*time.Millisecond)
	})
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// print takes a line of the console.
func (r *Runtime) print(level, text string) {
	x := r.call
	if x == nil || x.written > maxOutput {
		return
	}
	if x.written += len(text); x.written > maxOutput {
		text = "(the console was cut here)"
	}
	x.console = append(x.console, Line{level, text})
}

// helper calls one of the host's helpers.
func (r *Runtime) helper(call goja.FunctionCall) goja.Value {
	name := call.Argument(0).String()
	fn := r.host.Helpers[name]
	var args []any
	var err error
	for _, v := range call.Arguments[1:] {
		a, aerr := r.toAny(v, takesHandles|takesPatterns)
		err = errors.Join(err, aerr)
		args = append(args, a)
	}
	x := r.call
	return r.promise("", func() (any, error) {
		switch {
		case err != nil:
			return nil, err
		case fn == nil || x == nil:
			return nil, fmt.Errorf("%s is not available here", name)
		}
		return fn(x.ctx, args)
	})
}

// plain calls one of the host's functions that answer at once.
func (r *Runtime) plain(call goja.FunctionCall) goja.Value {
	name := call.Argument(0).String()
	fn := r.host.Plain[name]
	if fn == nil {
		panic(r.vm.NewTypeError("%s is not available here", name))
	}
	var args []any
	for _, v := range call.Arguments[1:] {
		a, err := r.toAny(v, takesHandles)
		if err != nil {
			panic(r.jsError(err))
		}
		args = append(args, a)
	}
	v, err := fn(args)
	if err != nil {
		panic(r.jsError(err))
	}
	return r.toJS(v)
}

// assertions are playwright-go's for a locator, a page or a response; null for
// anything else.
func (r *Runtime) assertions(v goja.Value) goja.Value {
	self, _ := r.unwrap(v)
	switch self := self.(type) {
	case playwright.Locator:
		return r.wrap(r.host.Assertions.Locator(self))
	case playwright.Page:
		return r.wrap(r.host.Assertions.Page(self))
	case playwright.APIResponse:
		return r.wrap(r.host.Assertions.APIResponse(self))
	}
	return goja.Null()
}

// image adds a picture to the result.
func (r *Runtime) image(v goja.Value) int {
	b, ok := bytesOf(v)
	if !ok || r.call == nil {
		return 0
	}
	r.call.images = append(r.call.images, b)
	return len(r.call.images)
}

func (r *Runtime) timeLeft() float64 {
	if r.call == nil {
		return 1
	}
	if left, ok := r.left(); ok {
		return left
	}
	return 30000
}

func (r *Runtime) jsWaitTime(obj goja.Value) float64 {
	self, _ := r.unwrap(obj)
	return r.waitTime(self)
}

// loadTime is how long the wait for a navigation may take.
func (r *Runtime) loadTime(obj goja.Value) float64 {
	self, _ := r.unwrap(obj)
	return min(r.timeLeft(), r.patience(self, "WaitForURL"))
}

func (r *Runtime) currentPage() goja.Value {
	if r.call == nil {
		return goja.Null()
	}
	return r.wrap(r.call.page)
}

func (r *Runtime) timer(fn goja.Callable, ms float64, repeat bool) int64 {
	d := time.Duration(max(ms, 1) * float64(time.Millisecond))
	id := r.loop.after(d, repeat, func() { r.callBack(fn, nil, nil) })
	if id == 0 {
		r.refuse("more than %d timers", maxTimers)
	}
	return id
}
