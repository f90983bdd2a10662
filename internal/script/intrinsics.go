package script

import (
	_ "embed"
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// native is a function of the engine's own.
type native = func(goja.FunctionCall) goja.Value

// natives are the engine's own functions as they were, which no script gets to
// see, and what bounds those that it does.
type natives struct {
	rangeError goja.Value
	raw        map[string]native // by path: Array.prototype.join
	depth      int               // functions of the engine that are within one another now
	joining    []*goja.Object    // the lists that are being joined
	slow       map[string]native // what is done with long texts, step by step
	guards     []goja.Value      // of shifts and powers: see syntax.guard
	length     goja.Value        // the name
	describe   native            // Reflect.getOwnPropertyDescriptor
	own        native            // Object.prototype.hasOwnProperty
}

// bounding makes a bounded function of one of the engine's.
type bounding func(r *Runtime, was native) native

// bounded are the functions that one step of could be too large, by path.
var bounded = map[string]bounding{}

// open are the prototypes whose functions take anything for their this, or ask
// it for members: the engine may call such a function for a conversion, a
// script's value may hold it for that, and it would come back to itself with no
// frame of a script's between. So all of these are counted while they run; of
// the other prototypes those that have a bound.
var open = map[string]bool{"Object": true, "Function": true, "Array": true, "String": true, "RegExp": true, "Error": true, "Promise": true,
	"TypedArray": true, "ArrayBuffer": true, "Generator": true, "Iterator": true, "ArrayIterator": true, "StringIterator": true, "MapIterator": true,
	"SetIterator": true, "RegExpIterator": true, "URLSearchParamsIterator": true}

// leftAlone are functions that the engine knows by their identity, and is fast
// for; and some that take nothing but their own kind. None of them turns its
// this into another value.
var leftAlone = map[string]bool{
	"Array.prototype.values": true, "Array.prototype.@@Symbol.iterator": true, "RegExp.prototype.exec": true, "RegExp.prototype.global": true,
	"RegExp.prototype.multiline": true, "RegExp.prototype.ignoreCase": true, "RegExp.prototype.unicode": true, "RegExp.prototype.sticky": true,
	"RegExp.prototype.dotAll": true, "Function.prototype.caller": true, "Function.prototype.arguments": true, "TypedArray.prototype.length": true, "TypedArray.prototype.buffer": true,
	"TypedArray.prototype.byteLength": true, "TypedArray.prototype.byteOffset": true, "ArrayBuffer.prototype.byteLength": true,
}

func init() {
	for _, name := range []string{"Date.prototype.toJSON", "Date.prototype.@@Symbol.toPrimitive", "Set.prototype.difference", "Set.prototype.intersection",
		"Set.prototype.isDisjointFrom", "Set.prototype.isSubsetOf", "Set.prototype.isSupersetOf", "Set.prototype.symmetricDifference", "Set.prototype.union"} {
		bounded[name] = func(_ *Runtime, was native) native { return was }
	}
}

// unnamed are prototypes that no name leads to.
const unnamed = `({
  'ArrayIterator.prototype': Object.getPrototypeOf([][Symbol.iterator]()), 'StringIterator.prototype': Object.getPrototypeOf(''[Symbol.iterator]()),
  'MapIterator.prototype': Object.getPrototypeOf(new Map().entries()), 'SetIterator.prototype': Object.getPrototypeOf(new Set().values()),
  'RegExpIterator.prototype': Object.getPrototypeOf(''.matchAll(/a/g)), 'Iterator.prototype': Object.getPrototypeOf(Object.getPrototypeOf([].values())),
  'Generator.prototype': Object.getPrototypeOf(function* () {}).prototype, TypedArray: Object.getPrototypeOf(Uint8Array),
  'TypedArray.prototype': Object.getPrototypeOf(Uint8Array.prototype),
  'URLSearchParamsIterator.prototype': Object.getPrototypeOf(new URLSearchParams().entries()),
})`

// boundIntrinsics puts bounded functions in the place of the engine's own. It
// is called while the engine is new. A function of a prototype takes whatever
// it is called on, and may be called by the engine for a conversion, with no
// frame of a script's between: so all of these are counted while they run.
func (r *Runtime) boundIntrinsics() error {
	r.natives.rangeError = r.vm.Get("RangeError")
	r.natives.raw, r.natives.slow, r.natives.length = map[string]native{}, map[string]native{}, r.vm.ToValue("length")
	if !parserKnown() {
		return errors.New("this engine's parser is another than the one that is known")
	}
	r.vm.SetParserOptions(seeing(func(src string) {
		if err := checkEval(src); err != nil {
			panic(r.rangeError("%s", err.(*Failure).Msg))
		}
	}))
	r.natives.describe = exported(r.vm.Get("Reflect").ToObject(r.vm).Get("getOwnPropertyDescriptor"))
	r.natives.own = exported(r.vm.Get("Object").ToObject(r.vm).Get("prototype").ToObject(r.vm).Get("hasOwnProperty"))
	b := &bounder{r: r, made: map[*goja.Object]*goja.Object{}, holders: map[string]*goja.Object{"": r.vm.GlobalObject()}}
	v, err := r.vm.RunString(unnamed)
	if err != nil {
		return err
	}
	for _, name := range v.ToObject(r.vm).Keys() {
		b.holders[name] = v.ToObject(r.vm).Get(name).ToObject(r.vm)
	}
	for name := range open {
		b.all(name + ".prototype")
	}
	for path := range bounded {
		b.one(path)
	}
	for _, path := range wanted {
		r.natives.raw[path] = exported(b.holder(path).Get(path[strings.LastIndexByte(path, '.')+1:]))
	}
	if b.err != nil {
		return b.err
	}
	return r.boundConstructors()
}

//go:embed bounds.js
var boundsCode string

var boundsProgram = sync.OnceValues(func() (*goja.Program, error) { return goja.Compile("bounds.js", boundsCode, false) })

// boundConstructors runs bounds.js, with what it needs of Go.
func (r *Runtime) boundConstructors() error {
	p, err := boundsProgram()
	if err != nil {
		return err
	}
	v, err := r.vm.RunProgram(p)
	if err != nil {
		return err
	}
	arrayBuffer := reflect.TypeFor[goja.ArrayBuffer]()
	b := r.vm.NewObject()
	for name, value := range map[string]any{
		"maxBuffer": maxBuffer, "maxMade": maxMade, "maxText": maxText, "maxDigits": maxDigits, "maxBits": maxBits,
		"isBuffer": func(o *goja.Object) bool { return o.ExportType() == arrayBuffer },
		"isRegExp": func(o *goja.Object) bool { return o.ClassName() == "RegExp" },
		"items":    func(v goja.Value, most float64, what string) goja.Value { return r.items(v, int64(most), what) },
		"copied": func(v goja.Value, most float64, what string) goja.Value {
			return r.copied(v.ToObject(r.vm), int64(most), what)
		},
		"checkPattern": r.checkPattern, "proxied": r.proxied,
	} {
		_ = b.Set(name, value)
	}
	start, _ := goja.AssertFunction(v)
	made, err := start(goja.Undefined(), b)
	if err != nil {
		return err
	}
	slow := made.ToObject(r.vm).Get("slow").ToObject(r.vm)
	for _, name := range slow.Keys() {
		r.natives.slow[name] = exported(slow.Get(name))
	}
	return r.vm.ExportTo(made.ToObject(r.vm).Get("guards"), &r.natives.guards)
}

// guarded is a script's outer function with the guards that its operators may
// have been given.
func (r *Runtime) guarded(v goja.Value) goja.Value {
	fn := exported(v)
	if fn == nil {
		return v
	}
	return r.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		return fn(goja.FunctionCall{This: call.This, Arguments: append(append([]goja.Value(nil), call.Arguments...), r.natives.guards...)})
	})
}

// wanted are functions that the bounds themselves call.
var wanted = []string{"Array.isArray", "Object.keys"}

// counted has a function of the engine's counted while it runs, and refused
// once the script was stopped.
func (r *Runtime) counted(fn native) native {
	return func(call goja.FunctionCall) goja.Value {
		if r.natives.depth >= maxNative {
			r.refuse("functions are nested more than %d deep", maxNative)
		}
		r.goOn()
		r.natives.depth++
		defer func() { r.natives.depth-- }()
		return fn(call)
	}
}

// goOn throws if the script was stopped. What runs for long without the
// engine's own loop calls it.
func (r *Runtime) goOn() {
	if r.halted.Load() {
		r.refuse("the script was stopped")
	}
}

// text is a value as a text.
func (r *Runtime) text(v goja.Value) goja.String {
	if _, ok := v.(*goja.Symbol); ok {
		panic(r.vm.NewTypeError("Cannot convert a Symbol value to a string"))
	}
	if s, ok := v.ToString().(goja.String); ok {
		return s
	}
	s, _ := r.vm.ToValue(v.String()).(goja.String) // a BigInt
	return s
}

// thisText is what a function of texts was called on; ok is false for undefined
// and null, which the engine refuses.
func (r *Runtime) thisText(v goja.Value) (s goja.String, ok bool) {
	if isMissing(v) {
		return nil, false
	}
	return r.text(v), true
}
