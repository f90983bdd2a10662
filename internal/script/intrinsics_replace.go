package script

import (
	"errors"
	"strings"

	"github.com/dop251/goja"
)

// symbols are those of the language that prototypes have functions for.
var symbols = map[string]*goja.Symbol{"Symbol.iterator": goja.SymIterator, "Symbol.match": goja.SymMatch, "Symbol.matchAll": goja.SymMatchAll,
	"Symbol.replace": goja.SymReplace, "Symbol.search": goja.SymSearch, "Symbol.split": goja.SymSplit, "Symbol.toPrimitive": goja.SymToPrimitive}

// accessors are the members that are read by a function of the engine's.
var accessors = map[string]bool{"RegExp.prototype.source": true, "RegExp.prototype.flags": true, "Object.prototype.__proto__": true}

// bounder replaces functions. One that has several names stays one.
type bounder struct {
	r       *Runtime
	holders map[string]*goja.Object
	made    map[*goja.Object]*goja.Object
	err     error
}

// holder is the object that a path's last name is a member of.
func (b *bounder) holder(path string) *goja.Object {
	at := ""
	if i := strings.LastIndex(path, ".@@"); i >= 0 {
		at = path[:i]
	} else if i := strings.LastIndexByte(path, '.'); i >= 0 {
		at = path[:i]
	}
	o := b.holders[at]
	if o == nil {
		o = b.holder(at).Get(at[strings.LastIndexByte(at, '.')+1:]).ToObject(b.r.vm)
		b.holders[at] = o
	}
	return o
}

// all replaces an object's own functions.
func (b *bounder) all(path string) {
	o := b.holder(path + ".")
	for _, name := range o.GetOwnPropertyNames() {
		b.one(path + "." + name)
	}
	for name := range symbols {
		b.one(path + ".@@" + name)
	}
}

// one replaces a function, or the functions of an accessor, by path.
func (b *bounder) one(path string) {
	o := b.holder(path)
	if i := strings.LastIndex(path, ".@@"); i >= 0 {
		sym := symbols[path[i+3:]]
		if leftAlone[path] || b.r.natives.own(goja.FunctionCall{This: o, Arguments: []goja.Value{sym}}) != b.r.vm.ToValue(true) {
			return
		}
		if fn := b.replace(path, o.GetSymbol(sym)); fn != nil {
			b.fail(o.DefineDataPropertySymbol(sym, fn, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		}
		return
	}
	name := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case leftAlone[path] || name == "constructor":
	case accessors[path]:
		d := b.r.natives.describe(goja.FunctionCall{Arguments: []goja.Value{o, b.r.vm.ToValue(name)}}).ToObject(b.r.vm)
		b.fail(o.DefineAccessorProperty(name, b.replace(path, d.Get("get")), b.replace(path+"=", d.Get("set")), goja.FLAG_TRUE, goja.FLAG_FALSE))
	default:
		if fn := b.replace(path, o.Get(name)); fn != nil {
			b.fail(o.DefineDataProperty(name, fn, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		}
	}
}

func (b *bounder) fail(err error) { b.err = errors.Join(b.err, err) }

// replace is the bounded function for one of the engine's; nil if v is none, or
// has been replaced.
func (b *bounder) replace(path string, v goja.Value) goja.Value {
	was := exported(v)
	if was == nil {
		return nil
	}
	o := v.(*goja.Object)
	if b.made[o] == o {
		return nil
	}
	b.r.natives.raw[path] = was
	if done := b.made[o]; done != nil {
		return done
	}
	fn := was
	if bound := bounded[path]; bound != nil {
		fn = bound(b.r, was)
	}
	made := b.r.vm.ToValue(b.r.counted(fn)).ToObject(b.r.vm)
	for _, name := range []string{"name", "length"} {
		b.fail(made.DefineDataProperty(name, o.Get(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	b.made[o], b.made[made] = made, made
	return made
}

// exported is the Go function of one of the engine's functions, nil if v is
// none.
func exported(v goja.Value) native {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Function" {
		return nil
	}
	fn, _ := o.Export().(native)
	return fn
}
