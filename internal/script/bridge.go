package script

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"
)

// defineClasses makes a prototype for every class, with the members that the
// table has. The prelude replaces those that the two spell too differently.
func (r *Runtime) defineClasses() {
	for class := range classes {
		r.protos[class] = r.vm.NewObject()
	}
	for class, parent := range parents {
		_ = r.protos[class].SetPrototype(r.protos[parent])
	}
	for _, e := range theTable().order {
		if proto := r.protos[e.class]; proto != nil && !e.js {
			r.defineMember(proto, e)
		}
	}
}

func (r *Runtime) defineMember(proto *goja.Object, e *entry) {
	fn := func(call goja.FunctionCall) goja.Value {
		if e.why != "" {
			panic(r.vm.NewTypeError("%s is not available in a script: %s", e, e.why))
		}
		self, ok := r.unwrap(call.This)
		if !ok || theTable().find(classOf(self), e.name) != e {
			panic(r.vm.NewTypeError("%s.%s was called on something else", e.class, e.name))
		}
		return r.invoke(e, self, call.Arguments)
	}
	if e.kind == "prop" {
		_ = proto.DefineAccessorProperty(e.name, r.vm.ToValue(fn), nil, goja.FLAG_FALSE, goja.FLAG_FALSE)
		return
	}
	method := r.vm.ToValue(fn).ToObject(r.vm)
	_ = method.DefineDataProperty("name", r.vm.ToValue(e.name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = proto.DefineDataProperty(e.name, method, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// invoke makes a call of the table's: the one way from a script to
// playwright-go. What it is given is converted once, and what came of it is
// judged and used.
func (r *Runtime) invoke(e *entry, self any, in []goja.Value) goja.Value {
	args, err := r.arguments(e, self, in)
	if err != nil && !strings.Contains(err.Error(), e.String()) {
		err = fmt.Errorf("%s: %w", e, err)
	}
	call := func() (any, error) {
		if err != nil {
			return nil, err
		}
		if e.name == "routeFromHAR" {
			done, err := r.checkHAR(args)
			if err != nil {
				return nil, err
			}
			defer done()
		}
		v, err := r.made(self, e.method.Name, args)
		if err == nil && e.name == "routeFromHAR" && r.host.Recorded != nil {
			r.noteHAR(self, args)
		}
		return v, err
	}
	if e.kind == "async" {
		return r.promise(e.String(), func() (any, error) { return r.explained(self, e.name, args)(call()) })
	}
	if strings.HasPrefix(e.name, "setDefault") && err == nil {
		r.setDefault(self, e.name, args[0].Float())
	}
	v, err := r.run(call)
	if err != nil {
		panic(r.jsError(err))
	}
	return r.toJS(v)
}

// checkHAR puts the host's copy of a HAR in its place, unless one is to be
// recorded there.
func (r *Runtime) checkHAR(args []reflect.Value) (done func(), err error) {
	if recordsHAR(args) {
		return func() {}, nil
	}
	path, done, err := r.host.HAR(args[0].String())
	if err == nil {
		args[0] = reflect.ValueOf(path)
	}
	return done, err
}

// noteHAR tells the host of a HAR that routeFromHAR records.
func (r *Runtime) noteHAR(self any, args []reflect.Value) {
	if !recordsHAR(args) {
		return
	}
	c, ok := self.(playwright.BrowserContext)
	if pw, page := self.(playwright.Page); page {
		c, ok = pw.Context(), true
	}
	if ok {
		r.host.Recorded(c, args[0].String())
	}
}

// recordsHAR reports whether routeFromHAR is to record, not to replay.
func recordsHAR(args []reflect.Value) bool {
	for _, o := range args[1:] {
		if update := o.FieldByName("Update"); !update.IsNil() && update.Elem().Bool() {
			return true
		}
	}
	return false
}

// apiName is a method as Playwright's messages write it: page.goto,
// cdpSession.send, expect(locator).toHaveText.
func apiName(class, method string) string {
	if of, ok := strings.CutSuffix(class, "Assertions"); ok {
		return "expect(" + lowerFirst(of) + ")." + method
	}
	return lowerFirst(class) + "." + method
}

// lowerFirst writes the first word of a name in small letters: CDPSession is
// cdpSession.
func lowerFirst(name string) string {
	n := 1
	for n+1 < len(name) && unicode.IsUpper(rune(name[n])) && unicode.IsUpper(rune(name[n+1])) {
		n++
	}
	return strings.ToLower(name[:n]) + name[n:]
}

// selecting are the methods whose first parameter is a selector.
var selecting = map[string]bool{"locator": true, "frameLocator": true, "$": true, "$$": true, "$eval": true, "$$eval": true, "click": true,
	"dblclick": true, "tap": true, "fill": true, "focus": true, "hover": true, "check": true, "uncheck": true, "setChecked": true, "type": true, "press": true,
	"textContent": true, "innerText": true, "innerHTML": true, "inputValue": true, "getAttribute": true, "isVisible": true, "isHidden": true,
	"isEnabled": true, "isDisabled": true, "isChecked": true, "isEditable": true, "waitForSelector": true, "selectOption": true,
	"setInputFiles": true, "dispatchEvent": true, "dragAndDrop": true}

// selector resolves refs for a call on a page, a frame or a locator.
func (r *Runtime) selector(self any, sel string) (string, error) {
	if r.host.Selector == nil {
		return sel, nil
	}
	switch self := self.(type) {
	case playwright.Page:
		return r.host.Selector(self, sel)
	case playwright.Frame:
		return r.host.Selector(self.Page(), sel)
	}
	return sel, nil
}

// arguments turns those of a JavaScript call into those of a Go method, by what
// the table says of them. What has a time-out gets no more than the script has
// left.
func (r *Runtime) arguments(e *entry, self any, in []goja.Value) (out []reflect.Value, err error) {
	if e.class == "Browser" {
		if err := r.host.Rules.Open(e.name); err != nil {
			return nil, err
		}
	}
	c := converting{r, self, e.String()}
	t := e.method.Type
	for i, k := range e.args {
		if t.IsVariadic() && i == t.NumIn()-1 {
			rest, err := c.rest(in[min(i, len(in)):], t.In(i).Elem(), k)
			if err != nil {
				return nil, err
			}
			out = append(out, rest...)
			break
		}
		var v goja.Value = goja.Undefined()
		if i < len(in) {
			v = in[i]
		}
		a, err := c.argument(v, t.In(i), k)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	if len(e.args) > 0 && e.args[0].word == "command" {
		return out, r.judgeCommand(out[0].String(), out[1].Interface().(map[string]any))
	}
	return out, nil
}

// rest are the arguments of a variadic parameter: options, or values.
func (c converting) rest(in []goja.Value, t reflect.Type, k kind) ([]reflect.Value, error) {
	if k.options == nil {
		var out []reflect.Value
		for _, v := range in {
			if isMissing(v) && t != anyType {
				continue
			}
			g, err := c.argument(v, t, k)
			if err != nil {
				return nil, err
			}
			out = append(out, g)
		}
		return out, nil
	}
	options := reflect.New(t).Elem()
	given := len(in) > 0 && !isMissing(in[0])
	if given {
		var err error
		if options, err = c.argument(in[0], t, k); err != nil {
			return nil, err
		}
	}
	if !c.r.limit(c.self, options) && !given {
		return nil, nil
	}
	return []reflect.Value{options}, nil
}

// limit sets an option "timeout" that is missing, or longer than what is left.
func (r *Runtime) limit(self any, options reflect.Value) bool {
	f := options.FieldByName("Timeout")
	if !f.IsValid() || f.Type() != reflect.TypeFor[*float64]() || r.call == nil {
		return false
	}
	left, ok := r.left()
	if !ok {
		return false
	}
	if f.IsNil() {
		left = min(left, r.patience(self, options.Type().Name()))
	}
	if f.IsNil() || f.Elem().Float() == 0 || f.Elem().Float() > left {
		f.Set(reflect.ValueOf(&left))
		return true
	}
	return false
}

// margin is how much earlier than the script's deadline Playwright's own
// time-outs are set, so that their errors, which know more, come first.
const margin = 400

// left is the time that is left, in milliseconds.
func (r *Runtime) left() (float64, bool) {
	deadline, ok := r.call.ctx.Deadline()
	if !ok {
		return 0, false
	}
	return max(1, float64(time.Until(deadline).Milliseconds()-margin)), true
}

// results are the value and the error of a Go call.
func results(out []reflect.Value) (any, error) {
	var value any = none{}
	for _, v := range out {
		if v.Type() == reflect.TypeFor[error]() {
			if err, _ := v.Interface().(error); err != nil {
				return nil, err
			}
			continue
		}
		value = v.Interface()
	}
	return value, nil
}

// none is the result of a call that returns nothing: undefined.
type none struct{}

// promise runs fn in a goroutine of its own and settles with its result; what
// names the call in an error.
func (r *Runtime) promise(what string, fn func() (any, error)) goja.Value {
	p, resolve, reject := r.vm.NewPromise()
	stack := r.stack()
	go func() {
		v, err := r.run(fn)
		r.loop.post(func() {
			var value goja.Value
			if err == nil {
				err = r.safely(func() error { value = r.toJS(v); return nil })
			}
			_ = r.safely(func() error {
				if err != nil {
					e := r.jsError(err, what)
					_ = e.DefineDataProperty("stack", r.vm.ToValue(e.String()+stack), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
					return reject(e)
				}
				return resolve(value)
			})
		})
	}()
	return r.vm.ToValue(p)
}

// stack is where the script is, as an error's stack has it.
func (r *Runtime) stack() string {
	var at strings.Builder
	for _, f := range r.vm.CaptureCallStack(0, nil) {
		if f.SrcName() == scriptFile {
			fmt.Fprintf(&at, "\n    at %s:%d:%d", scriptFile, f.Position().Line, f.Position().Column)
		}
	}
	return at.String()
}

func (r *Runtime) run(fn func() (any, error)) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return fn()
}

// toFunc makes a Go function of a JavaScript one. Playwright calls it from
// goroutines of its own: the call is made on the loop. A function with a
// result is waited for, promises included.
func (r *Runtime) toFunc(v goja.Value, t reflect.Type) (reflect.Value, error) {
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return reflect.Value{}, fmt.Errorf("expected a function, got %s", preview(v))
	}
	r.hand(v)
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		var values []any
		for i, a := range in {
			if t.IsVariadic() && i == len(in)-1 {
				for j := range a.Len() {
					values = append(values, a.Index(j).Interface())
				}
				continue
			}
			values = append(values, a.Interface())
		}
		if t.NumOut() == 0 {
			if !r.loop.postEvent(func() { r.callBack(fn, values, nil) }) {
				passOn(values)
			}
			return nil
		}
		done := make(chan goja.Value, 1)
		out := reflect.Zero(t.Out(0))
		if !r.loop.postEvent(func() { r.callBack(fn, values, func(v goja.Value) { done <- v }) }) {
			return []reflect.Value{out}
		}
		select {
		case v := <-done:
			converted := make(chan reflect.Value, 1)
			if r.loop.post(func() {
				g := reflect.Zero(t.Out(0))
				_ = r.safely(func() error { // its members may throw when they are read
					made, err := r.toGo(v, t.Out(0))
					if err == nil {
						g = made
					}
					return err
				})
				converted <- g
			}) {
				select {
				case out = <-converted:
				case <-time.After(callbackTime):
				}
			}
		case <-time.After(callbackTime):
		}
		return []reflect.Value{out}
	}), nil
}

// passOn leaves a request to the next route where the script that routed it is
// gone, with its engine.
func passOn(values []any) {
	if route, ok := first(values).(playwright.Route); ok {
		go func() { _ = route.Fallback() }()
	}
}

// callbackTime bounds the wait for a callback's result.
const callbackTime = 30 * time.Second

// callBack calls a function of the script's with values of Go's, on the loop.
// Where done is set it gets the result, once it has settled.
func (r *Runtime) callBack(fn goja.Callable, values []any, done func(goja.Value)) {
	err := r.safely(func() error {
		args := make([]goja.Value, len(values))
		for i, v := range values {
			args[i] = r.toJS(v)
		}
		v, err := fn(goja.Undefined(), args...)
		if err != nil {
			return err
		}
		_, err = r.builtin.settle(goja.Undefined(), v, r.vm.ToValue(func(v goja.Value) {
			if done != nil {
				done(v)
			}
		}))
		return err
	})
	if err != nil {
		r.print("error", "a callback failed: "+r.wordError(err).Error())
		if done != nil {
			done(goja.Undefined())
		}
	}
}

// asPlaywright finds Playwright's own error in a chain.
func asPlaywright(err error) *playwright.Error {
	var e *playwright.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

func isTimeout(err error) bool {
	return errors.Is(err, playwright.ErrTimeout) || errors.Is(err, context.DeadlineExceeded)
}
