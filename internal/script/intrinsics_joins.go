package script

import (
	"strconv"

	"github.com/dop251/goja"
)

// joined is Array.prototype.join, which makes a text of each member; a list
// that holds itself is empty there.
func joined(r *Runtime, _ native) native {
	return func(call goja.FunctionCall) goja.Value {
		o := call.This.ToObject(r.vm)
		for _, outer := range r.natives.joining {
			if outer == o {
				return r.vm.ToValue("")
			}
		}
		if len(r.natives.joining) >= maxNesting {
			r.refuse("join: lists are nested more than %d deep", maxNesting)
		}
		r.natives.joining = append(r.natives.joining, o)
		defer func() { r.natives.joining = r.natives.joining[:len(r.natives.joining)-1] }()
		n := int64(0)
		if v := o.Get("length"); v != nil {
			n = max(v.ToInteger(), 0)
		}
		sep := r.text(r.vm.ToValue(","))
		if v := call.Argument(0); !goja.IsUndefined(v) {
			sep = r.text(v)
		}
		if n > maxList || n*int64(sep.Length()) > maxText {
			r.refuse("join: the text would have more than %d characters", maxText)
		}
		var out goja.StringBuilder
		size := 0
		for i := range n {
			if i > 0 {
				out.WriteString(sep)
			}
			v := o.Get(strconv.FormatInt(i, 10))
			if isMissing(v) {
				continue
			}
			s := r.text(v)
			if size += s.Length() + sep.Length(); size > maxText {
				r.refuse("join: the text would have more than %d characters", maxText)
			}
			out.WriteString(s)
		}
		return out.String()
	}
}

// concatenated bounds Array.prototype.concat: what it takes apart is settled
// before.
func concatenated(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		sum := int64(0)
		settle := func(v goja.Value) goja.Value {
			o, ok := v.(*goja.Object)
			if !ok {
				return v
			}
			n, fixed := r.fixedLength(o)
			if !fixed {
				if !r.isArray(o) {
					panic(r.vm.NewTypeError("concat was given an object that computes its length"))
				}
				list := r.copied(o, maxMade, "concat")
				v, n = list, list.Get("length").ToInteger()
			}
			if sum += max(n, 0); sum > maxList {
				r.refuse("concat: the list would have more than %d members", maxList)
			}
			return v
		}
		call.This = settle(call.This)
		args := make([]goja.Value, len(call.Arguments))
		for i, v := range call.Arguments {
			args[i] = settle(v)
		}
		call.Arguments = args
		return was(call)
	}
}

func (r *Runtime) isArray(o *goja.Object) bool {
	return r.natives.raw["Array.isArray"](goja.FunctionCall{Arguments: []goja.Value{o}}).ToBoolean()
}

// flattened is Array.prototype.flat.
func flattened(r *Runtime, _ native) native {
	return func(call goja.FunctionCall) goja.Value {
		depth := int64(1)
		if v := call.Argument(0); !goja.IsUndefined(v) {
			depth = v.ToInteger()
		}
		var out []any
		r.flatten(call.This.ToObject(r.vm), depth, 0, &out)
		return r.vm.NewArray(out...)
	}
}

func (r *Runtime) flatten(o *goja.Object, depth int64, deep int, out *[]any) {
	if deep > maxNesting {
		r.refuse("flat: lists are nested more than %d deep", maxNesting)
	}
	n := int64(0)
	if v := o.Get("length"); v != nil {
		n = v.ToInteger()
	}
	if n > maxList {
		r.refuse("flat: the list has %d members, %d are the most", n, maxList)
	}
	for i := range n {
		if i%1024 == 0 {
			r.goOn()
		}
		v := o.Get(strconv.FormatInt(i, 10))
		if v == nil {
			continue
		}
		if e, ok := v.(*goja.Object); ok && depth > 0 && r.isArray(e) {
			r.flatten(e, depth-1, deep+1, out)
			continue
		}
		if len(*out) >= maxMade {
			r.refuse("flat: the list would have more than %d members", maxMade)
		}
		*out = append(*out, v)
	}
}

// flatMapped is Array.prototype.flatMap.
func flatMapped(r *Runtime, _ native) native {
	mapped := walks("flatMap", true)(r, func(call goja.FunctionCall) goja.Value { return r.natives.raw["Array.prototype.map"](call) })
	return func(call goja.FunctionCall) goja.Value {
		var out []any
		r.flatten(mapped(call).ToObject(r.vm), 1, 0, &out)
		return r.vm.NewArray(out...)
	}
}
