package script

import (
	"regexp/syntax"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

func init() {
	bounded["RegExp.prototype.compile"] = recompiled
	bounded["RegExp.prototype.@@Symbol.match"] = overLong("match")
	bounded["RegExp.prototype.@@Symbol.replace"] = overLong("replace")
	bounded["RegExp.prototype.@@Symbol.split"] = overLong("split")
}

// checkPattern refuses a regular expression that is too long, whose groups are
// nested too deep, or whose machine would take too much memory: it holds as many
// numbers as it has steps, times its groups, while it runs.
func (r *Runtime) checkPattern(source, flags string) {
	if len(source) > maxPattern {
		r.refuse("a regular expression of %d characters, %d are the most", len(source), maxPattern)
	}
	groups := strings.Count(source, "(") + 1
	repeats := 1
	if strings.Contains(source, "{") {
		repeats = 1000 // as often as RE2 repeats anything
	}
	if groups*len(source)*repeats <= maxMachine/8 {
		return
	}
	if groups > maxNesting {
		r.refuse("a regular expression with %d groups, %d are the most", groups-1, maxNesting)
	}
	re2, err := parser.TransformRegExp(source, strings.Contains(flags, "s"), strings.Contains(flags, "u"))
	if err != nil {
		return // it goes to the engine that backtracks, which has bounds of its own
	}
	tree, err := syntax.Parse(re2, syntax.Perl)
	if err != nil {
		return
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err == nil && len(prog.Inst)*prog.NumCap > maxMachine {
		r.refuse("a regular expression whose groups and repetitions multiply to %d, %d is the most", len(prog.Inst)*prog.NumCap, maxMachine)
	}
}

// recompiled bounds RegExp.prototype.compile.
func recompiled(r *Runtime, was native) native {
	return func(call goja.FunctionCall) goja.Value {
		o, isObject := call.Argument(0).(*goja.Object)
		if goja.IsUndefined(call.Argument(0)) || isObject && o.ClassName() == "RegExp" {
			return was(call)
		}
		source, flags := r.text(call.Argument(0)), r.vm.ToValue("")
		if v := call.Argument(1); !goja.IsUndefined(v) {
			flags = r.text(v)
		}
		r.checkPattern(source.String(), flags.String())
		return was(goja.FunctionCall{This: call.This, Arguments: []goja.Value{source, flags}})
	}
}

// manyMatches is from how many places for a match, times groups, on a text is
// searched match by match: the engine finds all before it goes on.
const manyMatches = 1 << 21

// overLong has what a RegExp does to a long text done step by step, in
// JavaScript, where it can be stopped and what it makes is counted.
func overLong(method string) bounding {
	return func(r *Runtime, was native) native {
		return func(call goja.FunctionCall) goja.Value {
			rx, ok := call.This.(*goja.Object)
			if !ok || rx.ClassName() != "RegExp" {
				return was(call)
			}
			text := r.text(call.Argument(0))
			args := append([]goja.Value{text}, call.Arguments[min(1, len(call.Arguments)):]...)
			size := float64(text.Length())
			if method == "replace" && exported(call.Argument(1)) == nil {
				by := r.text(call.Argument(1))
				args = []goja.Value{text, by}
				size *= 1 + grown(by, text.Length())/64
			}
			if size > 1<<10 {
				source := r.natives.raw["RegExp.prototype.source"](goja.FunctionCall{This: rx}).String()
				size *= float64(strings.Count(source, "(") + 1)
			}
			call.Arguments = args
			if size <= manyMatches || r.natives.slow[method] == nil {
				return was(call)
			}
			return r.natives.slow[method](goja.FunctionCall{Arguments: append([]goja.Value{rx}, args...)})
		}
	}
}
