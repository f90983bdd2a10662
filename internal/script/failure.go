package script

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"pwpipe/internal/playscript"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/playwright-community/playwright-go"
)

// Failure is a script that threw.
type Failure = playscript.Failure

// wordError words an error of the engine.
func (r *Runtime) wordError(err error) error {
	var i *goja.InterruptedError
	var ex *goja.Exception
	var so *goja.StackOverflowError
	var own *Failure
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &i):
		if cause, ok := i.Value().(error); ok {
			return cause
		}
		return errors.New(fmt.Sprint(i.Value()))
	case errors.As(err, &so):
		return &Failure{Name: "RangeError", Msg: fmt.Sprintf("calls are nested more than %d deep", maxDepth)}
	case errors.As(err, &ex):
		return r.thrown(ex.Value())
	}
	return &Failure{Name: "SyntaxError", Msg: syntaxMessage(err)}
}

// syntaxMessage names the line as the caller counts it: the code begins on the
// second line of what is compiled.
func syntaxMessage(err error) string {
	var list parser.ErrorList
	var one *parser.Error
	var late *goja.CompilerSyntaxError
	switch {
	case errors.As(err, &late) && late.File != nil:
		return fmt.Sprintf("%s (line %d)", late.Message, late.File.Position(late.Offset).Line-1)
	case errors.As(err, &list) && len(list) > 0:
		one = list[0]
	case !errors.As(err, &one):
		return strings.TrimPrefix(err.Error(), "SyntaxError: ")
	}
	return fmt.Sprintf("%s (line %d)", one.Message, one.Position.Line-1)
}

// thrown words a thrown value.
func (r *Runtime) thrown(v goja.Value) error {
	f := &Failure{Msg: "a value was thrown that can't be put in words"}
	_ = r.safely(func() error { // it may throw when it is asked
		f = r.worded(v)
		return nil
	})
	return f
}

func (r *Runtime) worded(v goja.Value) *Failure {
	o, ok := v.(*goja.Object)
	if !ok {
		return &Failure{Msg: v.String()}
	}
	text := func(name string) string {
		if m := o.Get(name); m != nil && !goja.IsUndefined(m) {
			return m.String()
		}
		return ""
	}
	f := &Failure{Name: text("name"), Msg: text("message")}
	if f.Name == "GoError" { // of a function of ours
		f.Name = ""
	}
	if f.Msg == "" {
		f.Msg = v.String()
	}
	if m := pageOnly.FindStringSubmatch(f.Msg); m != nil && f.Name == "ReferenceError" {
		f.Msg += fmt.Sprintf("; the page has it: page.evaluate(() => %s…)", m[1])
	}
	f.Line = scriptLine(text("stack"))
	return f
}

// pageOnly finds a name that people take for the script's.
var pageOnly = regexp.MustCompile(`^(document|window|location|navigator|localStorage|sessionStorage|history) is not defined$`)

// waited is a time-out with what was waited for.
type waited struct {
	error
	why string
}

func (w *waited) Unwrap() error { return w.error }

// explained tells of a call that waited for an element in vain what is the
// matter with it.
func (r *Runtime) explained(self any, method string, args []reflect.Value) func(any, error) (any, error) {
	return func(v any, err error) (any, error) {
		if err != nil && r.host.Reword != nil {
			url := ""
			if len(args) > 0 && args[0].Kind() == reflect.String {
				url = args[0].String()
			}
			err = r.host.Reword(self, url, err)
		}
		if err == nil || !isTimeout(err) || r.host.Explain == nil {
			return v, err
		}
		l, ok := self.(playwright.Locator)
		if selecting[method] && len(args) > 0 && args[0].Kind() == reflect.String {
			switch self := self.(type) {
			case playwright.Page:
				l, ok = self.Locator(args[0].String()), true
			case playwright.Frame:
				l, ok = self.Locator(args[0].String()), true
			}
		}
		if ok {
			if why := r.host.Explain(l, locatorSelector(l), err); why != "" {
				return v, &waited{err, why}
			}
		}
		return v, err
	}
}

// scriptLine finds the topmost line of the script in a stack.
func scriptLine(stack string) int {
	for line := range strings.Lines(stack) {
		_, rest, ok := strings.Cut(line, scriptFile+":")
		if !ok || !strings.HasPrefix(strings.TrimSpace(line), "at ") || strings.Contains(line, "prelude.js") {
			continue
		}
		var n int
		if _, err := fmt.Sscanf(rest, "%d:", &n); err == nil && n > 1 {
			return n - 1
		}
	}
	return 0
}
