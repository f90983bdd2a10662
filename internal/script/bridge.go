package script

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
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
