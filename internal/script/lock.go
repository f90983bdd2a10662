package script

import (
	"unicode"

	"github.com/dop251/goja"
)

// lock fixes what the language and the prelude have made, once they have: a
// script can't put anything of its own in the place of what the prelude, or the
// next script, calls. New members may be added, as people do.
func (r *Runtime) lock() error {
	l := locking{r: r, seen: map[*goja.Object]bool{}}
	l.symbols, _ = goja.AssertFunction(r.vm.Get("Object").ToObject(r.vm).Get("getOwnPropertySymbols"))
	for _, of := range peoplesOwn {
		l.overridables(r.vm.Get(of).ToObject(r.vm).Get("prototype").ToObject(r.vm))
	}
	for class, proto := range r.protos {
		l.members(class, proto)
	}
	for _, proto := range r.protos {
		l.visit(proto)
	}
	hidden, err := r.vm.RunString(hiddenPrototypes)
	if err != nil {
		return err
	}
	for _, name := range hidden.ToObject(r.vm).Keys() {
		l.visit(hidden.ToObject(r.vm).Get(name))
	}
	l.visit(r.vm.GlobalObject())
	return l.err
}

// hiddenPrototypes are those that no name leads to.
const hiddenPrototypes = `[async () => {}, function* () {}, [][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g)].map(Object.getPrototypeOf)`

type locking struct {
	r       *Runtime
	seen    map[*goja.Object]bool
	symbols goja.Callable // Object.getOwnPropertySymbols
	err     error
}

// visit locks an object and what is made of it: classes and prototypes. Methods
// have nothing in them.
func (l *locking) visit(v goja.Value) {
	o, ok := v.(*goja.Object)
	if !ok || o == nil || l.seen[o] {
		return
	}
	l.seen[o] = true
	l.visit(o.Prototype())
	_, fn := goja.AssertFunction(o)
	for _, name := range o.GetOwnPropertyNames() {
		if fn && (name == "name" || name == "length") {
			continue
		}
		if name == "prototype" || name == "constructor" || unicode.IsUpper(rune(name[0])) {
			l.visit(o.Get(name))
		}
		// Of an accessor the second fails: it can't be written as it is.
		_ = o.DefineAccessorProperty(name, nil, nil, goja.FLAG_FALSE, goja.FLAG_NOT_SET)
		_ = o.DefineDataProperty(name, nil, goja.FLAG_FALSE, goja.FLAG_NOT_SET, goja.FLAG_NOT_SET)
	}
	symbols, err := l.symbols(nil, o)
	if err != nil {
		l.err = err
		return
	}
	for _, i := range symbols.ToObject(l.r.vm).Keys() {
		symbol, _ := symbols.ToObject(l.r.vm).Get(i).(*goja.Symbol)
		_ = o.DefineAccessorPropertySymbol(symbol, nil, nil, goja.FLAG_FALSE, goja.FLAG_NOT_SET)
		_ = o.DefineDataPropertySymbol(symbol, nil, goja.FLAG_FALSE, goja.FLAG_NOT_SET, goja.FLAG_NOT_SET)
	}
}

// members are those of one of Playwright's classes.
func (l *locking) members(class string, proto *goja.Object) {
	for _, name := range proto.GetOwnPropertyNames() {
		if e := theTable().entries[class+"."+name]; e == nil || e.kind != "prop" || e.js {
			l.overridable(proto, name)
		}
	}
}

// peoplesOwn are the classes whose objects people give members of their own.
var peoplesOwn = []string{"Object", "Function", "Array", "Promise", "Date", "RegExp", "Map", "Set", "Error", "TypeError", "RangeError",
	"SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError"}

// overridables are the methods of a prototype, and an error's words.
func (l *locking) overridables(proto *goja.Object) {
	for _, name := range proto.GetOwnPropertyNames() {
		_ = l.r.vm.Try(func() {
			if _, fn := goja.AssertFunction(proto.Get(name)); fn || name == "name" || name == "message" {
				l.overridable(proto, name)
			}
		})
	}
}

// overridable has an object that inherits a member get its own by assignment:
// err.name = …, page.goto = …. Of a member that can't be written it could not.
func (l *locking) overridable(proto *goja.Object, name string) {
	vm, value := l.r.vm, proto.Get(name)
	get := vm.ToValue(func(goja.FunctionCall) goja.Value { return value })
	set := vm.ToValue(func(call goja.FunctionCall) goja.Value {
		o, ok := call.This.(*goja.Object)
		switch {
		case ok && o == proto:
			panic(vm.NewTypeError("%s can not be replaced in a script", name))
		case ok:
			if err := o.DefineDataProperty(name, call.Argument(0), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
				panic(err)
			}
		}
		return goja.Undefined()
	})
	if err := proto.DefineAccessorProperty(name, get, set, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
		l.err = err
	}
}
