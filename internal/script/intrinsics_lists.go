package script

import (
	"reflect"
	"strconv"

	"github.com/dop251/goja"
)

func init() {
	for _, name := range []string{"every", "filter", "find", "findIndex", "findLast", "findLastIndex", "forEach", "includes", "indexOf", "lastIndexOf",
		"map", "reduce", "reduceRight", "slice", "some", "toLocaleString", "with", "toReversed", "toSorted", "toSpliced", "keys", "entries"} {
		bounded["Array.prototype."+name] = walks(name, true)
	}
	for _, name := range []string{"copyWithin", "fill", "reverse", "shift", "sort", "splice", "unshift"} {
		bounded["Array.prototype."+name] = walks(name, false)
	}
	bounded["Array.prototype.join"] = joined
	bounded["Array.prototype.concat"] = concatenated
	bounded["Array.prototype.flat"] = flattened
	bounded["Array.prototype.flatMap"] = flatMapped
	bounded["Array.from"] = made
	bounded["TypedArray.from"] = made
	bounded["Function.prototype.apply"] = applied(1)
	bounded["Reflect.apply"] = applied(2)
	bounded["Reflect.construct"] = applied(1)
	for _, name := range []string{"join", "toLocaleString"} {
		bounded["TypedArray.prototype."+name] = numbersJoined(name)
	}
	for _, name := range []string{"entries", "getOwnPropertyDescriptors"} {
		bounded["Object."+name] = enumerated(name)
	}
}

var proxyType = reflect.TypeFor[goja.Proxy]()

// isProxy reports whether an object is a proxy, which answers what it likes.
func isProxy(o *goja.Object) bool { return o.ExportType() == proxyType }

// isBytes reports whether an object is a typed array.
func isBytes(o *goja.Object) bool {
	t := o.ExportType()
	return t != nil && t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Interface
}

// fixedLength is the length of a list that answers the same when the engine
// asks again; ok is false where a script's own code could answer.
func (r *Runtime) fixedLength(o *goja.Object) (n int64, ok bool) {
	if o.ClassName() == "Array" || isBytes(o) {
		return o.Get("length").ToInteger(), true
	}
	for at := o; at != nil; at = at.Prototype() {
		if isProxy(at) {
			return 0, false
		}
		d, ok := r.natives.describe(goja.FunctionCall{Arguments: []goja.Value{at, r.natives.length}}).(*goja.Object)
		if !ok {
			continue
		}
		v := d.Get("value")
		if _, isObject := v.(*goja.Object); v == nil || isObject {
			return 0, false
		}
		return v.ToInteger(), true
	}
	return 0, true
}

// copied is a list as an array of its own. Its length is asked for once.
func (r *Runtime) copied(o *goja.Object, most int64, what string) *goja.Object {
	var n int64
	if v := o.Get("length"); v != nil {
		n = max(v.ToInteger(), 0)
	}
	if n > most {
		r.refuse("%s: the list has %d members, %d are the most", what, n, most)
	}
	list := make([]any, n)
	for i := range list {
		if i%4096 == 0 {
			r.goOn()
		}
		list[i] = goja.Undefined()
		if v := o.Get(strconv.Itoa(i)); v != nil {
			list[i] = v
		}
	}
	return r.vm.NewArray(list...)
}

// walks bounds a function that walks its this. One that only reads gets a copy
// of what could change its length.
func walks(name string, reads bool) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			o, ok := call.This.(*goja.Object)
			if !ok {
				if s, ok := call.This.(goja.String); ok && s.Length() > maxList {
					r.refuse("%s: the text has %d characters, %d are the most", name, s.Length(), maxList)
				}
				return was(call)
			}
			n, fixed := r.fixedLength(o)
			switch {
			case fixed && n > maxList:
				r.refuse("%s: the list has %d members, %d are the most", name, n, maxList)
			case !fixed && !reads:
				panic(r.vm.NewTypeError("%s was called on an object that computes its length", name))
			case !fixed:
				call.This = r.copied(o, maxMade, name)
			}
			return was(call)
		}
	}
}

// items is what a list is made of: an array, bytes and a text as they are, and
// anything else once it has said what it iterates over, or how long it is.
func (r *Runtime) items(v goja.Value, most int64, what string) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok || isBytes(o) {
		return v
	}
	if o.ClassName() == "Array" {
		if n := o.Get("length").ToInteger(); n > most {
			r.refuse("%s: the list has %d members, %d are the most", what, n, most)
		}
		return v
	}
	method := o.GetSymbol(goja.SymIterator)
	if isMissing(method) {
		return r.copied(o, min(most, maxMade), what)
	}
	iterate := exported(method)
	if iterate == nil {
		panic(r.vm.NewTypeError("%s: %s is not iterable", what, preview(v)))
	}
	it := iterate(goja.FunctionCall{This: o})
	once := r.vm.NewObject()
	_ = once.SetSymbol(goja.SymIterator, r.vm.ToValue(func(goja.FunctionCall) goja.Value { return it }))
	return once
}

// made bounds Array.from and its kin.
func made(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		args := append([]goja.Value(nil), call.Arguments...)
		if len(args) > 0 {
			args[0] = r.items(args[0], maxMade, "from")
		}
		call.Arguments = args
		return was(call)
	}
}

// applied bounds what calls a function with a list of arguments, which is the
// argument of that number.
func applied(at int) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			o, ok := call.Argument(at).(*goja.Object)
			if !ok {
				return was(call)
			}
			if n, fixed := r.fixedLength(o); fixed && n > maxArgs {
				r.refuse("apply: %d arguments, %d are the most", n, maxArgs)
			} else if !fixed {
				args := append([]goja.Value(nil), call.Arguments...)
				args[at] = r.copied(o, maxArgs, "apply")
				call.Arguments = args
			}
			return was(call)
		}
	}
}

// numbersJoined bounds the texts of typed arrays.
func numbersJoined(name string) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			o, ok := call.This.(*goja.Object)
			if !ok || !isBytes(o) {
				return was(call)
			}
			width := int64(25)
			if v := call.Argument(0); !goja.IsUndefined(v) && name == "join" {
				sep := r.text(v)
				width += int64(sep.Length())
				call.Arguments = []goja.Value{sep}
			}
			if n := o.Get("length").ToInteger(); n*width > maxText && n > 1<<10 {
				r.refuse("%s: the text would have more than %d characters", name, maxText)
			}
			return was(call)
		}
	}
}

// enumerated bounds what makes an object for each member of another.
func enumerated(name string) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			if o, ok := call.Argument(0).(*goja.Object); ok && !isProxy(o) {
				keys := r.natives.raw["Object.keys"](goja.FunctionCall{Arguments: []goja.Value{o}}).(*goja.Object)
				if n := keys.Get("length").ToInteger(); n > maxMembers/2 {
					r.refuse("%s: the object has %d members, %d are the most", name, n, maxMembers/2)
				}
			}
			return was(call)
		}
	}
}
