package script

import (
	"reflect"
	"time"

	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"
)

// selecting are the methods whose first parameter is a selector.
var selecting = map[string]bool{"locator": true, "frameLocator": true, "$": true, "$$": true, "$eval": true, "$$eval": true, "click": true,
	"dblclick": true, "tap": true, "fill": true, "focus": true, "hover": true, "check": true, "uncheck": true, "setChecked": true, "type": true, "press": true,
	"textContent": true, "innerText": true, "innerHTML": true, "inputValue": true, "getAttribute": true, "isVisible": true, "isHidden": true,
	"isEnabled": true, "isDisabled": true, "isChecked": true, "isEditable": true, "waitForSelector": true, "selectOption": true,
	"setInputFiles": true, "dispatchEvent": true, "dragAndDrop": true}

// selector resolves refs for a call on a page, a frame or a locator.
func (r *Runtime) selector(self any, sel string) (string, error) {
	if r.host.Selector == nil {
		return sel, nil
	}
	switch self := self.(type) {
	case playwright.Page:
		return r.host.Selector(self, sel)
	case playwright.Frame:
		return r.host.Selector(self.Page(), sel)
	}
	return sel, nil
}

// arguments turns those of a JavaScript call into those of a Go method, by what
// the table says of them. What has a time-out gets no more than the script has
// left.
func (r *Runtime) arguments(e *entry, self any, in []goja.Value) (out []reflect.Value, err error) {
	if e.class == "Browser" {
		if err := r.host.Rules.Open(e.name); err != nil {
			return nil, err
		}
	}
	c := converting{r, self, e.String()}
	t := e.method.Type
	for i, k := range e.args {
		if t.IsVariadic() && i == t.NumIn()-1 {
			rest, err := c.rest(in[min(i, len(in)):], t.In(i).Elem(), k)
			if err != nil {
				return nil, err
			}
			out = append(out, rest...)
			break
		}
		var v goja.Value = goja.Undefined()
		if i < len(in) {
			v = in[i]
		}
		a, err := c.argument(v, t.In(i), k)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	if len(e.args) > 0 && e.args[0].word == "command" {
		return out, r.judgeCommand(out[0].String(), out[1].Interface().(map[string]any))
	}
	return out, nil
}

// rest are the arguments of a variadic parameter: options, or values.
func (c converting) rest(in []goja.Value, t reflect.Type, k kind) ([]reflect.Value, error) {
	if k.options == nil {
		var out []reflect.Value
		for _, v := range in {
			if isMissing(v) && t != anyType {
				continue
			}
			g, err := c.argument(v, t, k)
			if err != nil {
				return nil, err
			}
			out = append(out, g)
		}
		return out, nil
	}
	options := reflect.New(t).Elem()
	given := len(in) > 0 && !isMissing(in[0])
	if given {
		var err error
		if options, err = c.argument(in[0], t, k); err != nil {
			return nil, err
		}
	}
	if !c.r.limit(c.self, options) && !given {
		return nil, nil
	}
	return []reflect.Value{options}, nil
}

// limit sets an option "timeout" that is missing, or longer than what is left.
func (r *Runtime) limit(self any, options reflect.Value) bool {
	f := options.FieldByName("Timeout")
	if !f.IsValid() || f.Type() != reflect.TypeFor[*float64]() || r.call == nil {
		return false
	}
	left, ok := r.left()
	if !ok {
		return false
	}
	if f.IsNil() {
		left = min(left, r.patience(self, options.Type().Name()))
	}
	if f.IsNil() || f.Elem().Float() == 0 || f.Elem().Float() > left {
		f.Set(reflect.ValueOf(&left))
		return true
	}
	return false
}

// margin is how much earlier than the script's deadline Playwright's own
// time-outs are set, so that their errors, which know more, come first.
const margin = 400

// left is the time that is left, in milliseconds.
func (r *Runtime) left() (float64, bool) {
	deadline, ok := r.call.ctx.Deadline()
	if !ok {
		return 0, false
	}
	return max(1, float64(time.Until(deadline).Milliseconds()-margin)), true
}
