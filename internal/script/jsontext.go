package script

import (
	"github.com/dop251/goja"
)

func init() {
	bounded["JSON.parse"] = parsed
	bounded["JSON.stringify"] = stringified
}

// The memory that the engine takes for parts of a JSON text, in bytes: measured.
const (
	heapOfArray, heapOfObject, heapOfMember, heapOfElement = 600, 450, 80, 35
)

// measureJSON finds how deep a JSON text is nested, and what memory its value
// will take. What is no JSON is measured until the engine finds out.
func measureJSON(s string) (deep, heap int) {
	now := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			now, heap = now+1, heap+heapOfArray
		case '{':
			now, heap = now+1, heap+heapOfObject
		case ']', '}':
			now--
		case ':':
			heap += heapOfMember
		case ',':
			heap += heapOfElement
		case '"':
			start := i
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			heap += i - start
		}
		deep = max(deep, now)
	}
	return deep, heap
}

// parsed bounds JSON.parse: the engine parses, and revives, on Go's stack.
func parsed(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		text := r.text(call.Argument(0))
		switch deep, heap := measureJSON(text.String()); {
		case deep > maxNesting:
			r.refuse("JSON.parse: the text is nested %d deep, %d is the most", deep, maxNesting)
		case heap > maxParsed:
			r.refuse("JSON.parse: the value would take about %d MiB of memory, %d are the most", heap>>20, maxParsed>>20)
		}
		v := was(goja.FunctionCall{Arguments: []goja.Value{text}})
		if exported(call.Argument(1)) == nil {
			return v
		}
		return r.natives.slow["revive"](goja.FunctionCall{Arguments: []goja.Value{v, call.Argument(1)}})
	}
}

// writing is what a call of JSON.stringify has written so far.
type writing struct {
	gap, size, seen int
	holders         []*goja.Object // from the outermost to the one at hand
	names           []string       // of a replacer that is a list; nil if there is none
	replace         native
}

// stringified bounds JSON.stringify. The engine asks a replacer about each
// value before it goes into it, so ours can tell how deep it is, and stop it.
func stringified(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		if s, ok := call.Argument(0).(goja.String); ok {
			r.longest(s, maxText)
			return was(call)
		}
		w := &writing{replace: exported(call.Argument(1))}
		if list, ok := call.Argument(1).(*goja.Object); ok && w.replace == nil && r.isArray(list) {
			w.names = r.replacerNames(list)
		}
		space := call.Argument(2)
		if o, ok := space.(*goja.Object); ok {
			if o.ClassName() == "Number" {
				space = o.ToNumber()
			} else if o.ClassName() == "String" {
				space = r.text(o)
			}
		}
		if s, ok := space.(goja.String); ok {
			w.gap = min(s.Length(), 10)
		} else if goja.IsNumber(space) {
			w.gap = int(min(max(space.ToInteger(), 0), 10))
		}
		return was(goja.FunctionCall{Arguments: []goja.Value{call.Argument(0), r.vm.ToValue(func(call goja.FunctionCall) goja.Value {
			return r.writes(w, call)
		}), space}})
	}
}

// writes looks at a value that is about to be written, and gives what is
// written in its place.
func (r *Runtime) writes(w *writing, call goja.FunctionCall) goja.Value {
	holder, key, v := call.This.ToObject(r.vm), call.Argument(0), call.Argument(1)
	if w.replace != nil {
		v = w.replace(goja.FunctionCall{This: holder, Arguments: []goja.Value{key, v}})
		if v == nil {
			v = goja.Undefined()
		}
	}
	for len(w.holders) > 0 && w.holders[len(w.holders)-1] != holder && contains(w.holders, holder) {
		w.holders = w.holders[:len(w.holders)-1]
	}
	if len(w.holders) == 0 || w.holders[len(w.holders)-1] != holder {
		w.holders = append(w.holders, holder)
	}
	if len(w.holders) > maxNesting {
		r.refuse("JSON.stringify: the value is nested more than %d deep", maxNesting)
	}
	if w.seen++; w.seen%256 == 0 {
		r.goOn()
	}
	w.size += 4 + w.gap*len(w.holders)
	if name, ok := key.(goja.String); ok {
		w.size += name.Length()
	}
	if s, ok := v.(goja.String); ok {
		w.size += s.Length()
	}
	if w.size > maxText || w.seen > maxSeen {
		r.refuse("JSON.stringify: the text would have more than %d characters, or hold more than %d values", maxText, maxSeen)
	}
	if o, ok := v.(*goja.Object); ok && w.names != nil && o.ClassName() == "Object" && !isProxy(o) {
		return r.picked(o, w.names)
	}
	return v
}

func contains(list []*goja.Object, o *goja.Object) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == o {
			return true
		}
	}
	return false
}

// picked is an object with the named members of another.
func (r *Runtime) picked(o *goja.Object, names []string) goja.Value {
	out := r.vm.NewObject()
	for _, name := range names {
		if v := o.Get(name); v != nil {
			_ = out.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		}
	}
	return out
}

// replacerNames are the names in a replacer that is a list.
func (r *Runtime) replacerNames(list *goja.Object) []string {
	names, seen := []string{}, map[string]bool{}
	r.vm.ForOf(r.copied(list, maxMembers, "JSON.stringify"), func(v goja.Value) bool {
		o, isObject := v.(*goja.Object)
		_, isText := v.(goja.String)
		if isText || goja.IsNumber(v) || isObject && (o.ClassName() == "Number" || o.ClassName() == "String") {
			if name := v.String(); !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
		return true
	})
	return names
}
