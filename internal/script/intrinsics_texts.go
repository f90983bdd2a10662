package script

import (
	"strings"

	"github.com/dop251/goja"
)

func init() {
	text := func(name string, b bounding) { bounded["String.prototype."+name] = b }
	text("repeat", repeated)
	text("padStart", padded)
	text("padEnd", padded)
	text("concat", strung)
	text("split", parted)
	text("match", searched(goja.SymMatch))
	text("matchAll", searched(goja.SymMatchAll))
	text("search", searched(goja.SymSearch))
	text("replace", replaced(false))
	text("replaceAll", replaced(true))
	text("@@Symbol.iterator", short(maxMade))
	text("normalize", short(maxText/16))
	text("localeCompare", short(maxText/16))
	for _, name := range []string{"toUpperCase", "toLowerCase", "toLocaleUpperCase", "toLocaleLowerCase", "trim", "trimStart", "trimEnd"} {
		text(name, short(maxText))
	}
	for _, name := range []string{"encodeURIComponent", "encodeURI", "escape"} {
		bounded[name] = shortArgument(maxText / 9)
	}
	for _, name := range []string{"decodeURIComponent", "decodeURI", "unescape", "parseFloat", "parseInt", "Number.parseFloat", "Number.parseInt"} {
		bounded[name] = shortArgument(maxText)
	}
	bounded["BigInt.asIntN"], bounded["BigInt.asUintN"] = cutBits, cutBits
	bounded["Object.setPrototypeOf"], bounded["Reflect.setPrototypeOf"] = parented(false), parented(false)
	bounded["Object.prototype.__proto__="] = parented(true)
}

// short bounds the text that a function is called on.
func short(most int) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			if s, ok := r.thisText(call.This); ok {
				r.longest(s, most)
				call.This = s
			}
			return was(call)
		}
	}
}

// shortArgument bounds the text that a function is given.
func shortArgument(most int) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			if s, ok := r.thisText(call.Argument(0)); ok {
				r.longest(s, most)
				args := append([]goja.Value{s}, call.Arguments[1:]...)
				call.Arguments = args
			}
			return was(call)
		}
	}
}

func (r *Runtime) longest(s goja.String, most int) {
	if s.Length() > most {
		r.refuse("the text has %d characters, %d are the most here", s.Length(), most)
	}
}

// noLonger refuses a text that would have so many characters.
func (r *Runtime) noLonger(what string, n float64) {
	if n > maxText {
		r.refuse("%s: the text would have more than %d characters", what, maxText)
	}
}

// repeated bounds repeat. What it is called with is turned into a text and a
// number once, and those are checked and used.
func repeated(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		s, ok := r.thisText(call.This)
		if !ok {
			return was(call)
		}
		n := call.Argument(0).ToNumber()
		r.noLonger("repeat", float64(s.Length())*n.ToFloat())
		return was(goja.FunctionCall{This: s, Arguments: []goja.Value{n}})
	}
}

func padded(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		s, ok := r.thisText(call.This)
		if !ok {
			return was(call)
		}
		n := call.Argument(0).ToNumber()
		r.noLonger("pad", n.ToFloat())
		args := []goja.Value{n}
		if fill := call.Argument(1); !goja.IsUndefined(fill) {
			args = append(args, r.text(fill))
		}
		return was(goja.FunctionCall{This: s, Arguments: args})
	}
}

func strung(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		s, ok := r.thisText(call.This)
		if !ok {
			return was(call)
		}
		sum := s.Length()
		args := make([]goja.Value, len(call.Arguments))
		for i, v := range call.Arguments {
			t := r.text(v)
			sum += t.Length()
			args[i] = t
		}
		r.noLonger("concat", float64(sum))
		return was(goja.FunctionCall{This: s, Arguments: args})
	}
}

// delegated gives a call to the method that an object has for it: done is false
// for a text and for a RegExp, which the engine knows what to do with. Any
// other object is asked for the method once, and is a text where it has none.
func (r *Runtime) delegated(call goja.FunctionCall, sym *goja.Symbol) (v goja.Value, now goja.FunctionCall, done bool) {
	o, ok := call.Argument(0).(*goja.Object)
	if !ok || o.ClassName() == "RegExp" {
		return nil, call, false
	}
	args := append([]goja.Value(nil), call.Arguments...)
	method := o.GetSymbol(sym)
	if isMissing(method) {
		args[0] = r.text(o)
		return nil, goja.FunctionCall{This: call.This, Arguments: args}, false
	}
	fn := exported(method)
	if fn == nil {
		panic(r.vm.NewTypeError("%s is not a function", sym))
	}
	args[0] = call.This
	return fn(goja.FunctionCall{This: o, Arguments: args}), call, true
}

// searched bounds what makes a RegExp of a text.
func searched(sym *goja.Symbol) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			v, call, done := r.delegated(call, sym)
			if done {
				return v
			}
			if _, isObject := call.Argument(0).(*goja.Object); !isObject && !goja.IsUndefined(call.Argument(0)) {
				source := r.text(call.Argument(0))
				r.checkPattern(source.String(), "")
				call.Arguments = []goja.Value{source}
			}
			return was(call)
		}
	}
}

// parted bounds the number of parts. RegExps see to it themselves.
func parted(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		v, call, done := r.delegated(call, goja.SymSplit)
		if done {
			return v
		}
		s, ok := r.thisText(call.This)
		if _, isObject := call.Argument(0).(*goja.Object); isObject || !ok || goja.IsUndefined(call.Argument(0)) {
			return was(call)
		}
		limit := int64(maxMade + 1)
		if v := call.Argument(1); !goja.IsUndefined(v) {
			limit = min(limit, int64(uint32(v.ToInteger())))
		}
		list := was(goja.FunctionCall{This: s, Arguments: []goja.Value{r.text(call.Argument(0)), r.vm.ToValue(limit)}})
		if n := list.ToObject(r.vm).Get("length").ToInteger(); n > maxMade {
			r.refuse("split: the text has more than %d parts", maxMade)
		}
		return list
	}
}

// replaced bounds what replacing a text by another may grow to. RegExps see to
// it themselves.
func replaced(all bool) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			v, call, done := r.delegated(call, goja.SymReplace)
			if done {
				return v
			}
			s, ok := r.thisText(call.This)
			if _, isObject := call.Argument(0).(*goja.Object); isObject || !ok {
				return was(call)
			}
			search := r.text(call.Argument(0))
			by := call.Argument(1)
			if exported(by) == nil {
				text := r.text(by)
				by = text
				times := 1.0
				if all {
					times = float64(s.Length()/max(search.Length(), 1) + 1)
				}
				one := grown(text, s.Length())
				if all && times*one > maxText {
					times = float64(strings.Count(s.String(), search.String()))
				}
				r.noLonger("replace", float64(s.Length())+times*one)
			}
			return was(goja.FunctionCall{This: s, Arguments: []goja.Value{search, by}})
		}
	}
}

// grown is how long a replacement may become: each $ may stand for the text.
func grown(by goja.String, text int) float64 {
	return float64(by.Length()) + float64(strings.Count(by.String(), "$"))*float64(text)
}

// cutBits bounds BigInt.asIntN and asUintN.
func cutBits(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		args := append([]goja.Value(nil), call.Arguments...)
		if len(args) > 0 {
			args[0] = args[0].ToNumber()
			if args[0].ToFloat() > maxBits {
				r.refuse("BigInt: %s bits, %d are the most", args[0], maxBits)
			}
		}
		call.Arguments = args
		return was(call)
	}
}

// parented bounds what sets a prototype. A chain that leads through a proxy can
// lead back to its beginning, which the engine finds out by walking it without
// an end.
func parented(setter bool) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			of, to := call.Argument(0), call.Argument(1)
			if setter {
				of, to = call.This, call.Argument(0)
			}
			if o, ok := of.(*goja.Object); ok && isProxy(o) {
				panic(r.vm.NewTypeError("a proxy can't be given a prototype here"))
			}
			at, _ := to.(*goja.Object)
			for ; at != nil; at = at.Prototype() {
				if isProxy(at) {
					panic(r.vm.NewTypeError("a proxy can't become a prototype here"))
				}
			}
			return was(call)
		}
	}
}

// proxied refuses a proxy that is too far from what it stands for: the engine
// goes the whole way for each member.
func (r *Runtime) proxied(target, handler goja.Value) {
	steps, proxies := 0, 0
	for at, _ := target.(*goja.Object); at != nil; steps++ {
		if isProxy(at) {
			at, proxies = at.Export().(goja.Proxy).Target(), proxies+1
		} else {
			at = at.Prototype()
		}
		if proxies > maxArgument || steps > maxNesting {
			r.refuse("proxies and prototypes are chained more than %d and %d deep", maxArgument, maxNesting)
		}
	}
	for at, _ := handler.(*goja.Object); at != nil; at = at.Prototype() {
		if isProxy(at) {
			panic(r.vm.NewTypeError("a proxy can't be the handler of another here"))
		}
		if steps++; steps > 2*maxNesting {
			r.refuse("prototypes are chained more than %d deep", maxNesting)
		}
	}
}
