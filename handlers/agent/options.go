package agent

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
)

// helper is a function that scripts call, on a page, with an object of options.
type helper func(c *tool.Call, options map[string]any) (any, error)

// withOptions makes a helper of a function whose options are the fields of a
// struct, by their JSON names.
func withOptions[In any](fn func(*tool.Call, In) (any, error)) helper {
	return func(c *tool.Call, o map[string]any) (any, error) {
		var in In
		if err := setOptions(reflect.ValueOf(&in).Elem(), o); err != nil {
			return nil, err
		}
		return fn(c, in)
	}
}

// setOptions fills a struct. Values are those that the script engine hands out:
// numbers of any kind, texts, patterns, locators. An option that does not
// exist, or of another type, is an error: left out it would say nothing.
func setOptions(in reflect.Value, o map[string]any) error {
	fields, names := map[string]reflect.Value{}, []string{}
	for _, f := range reflect.VisibleFields(in.Type()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && !f.Anonymous {
			fields[name], names = in.FieldByIndex(f.Index), append(names, name)
		}
	}
	for name, v := range o {
		field, ok := fields[name]
		switch {
		case v == nil:
		case !ok && len(names) == 0:
			return fmt.Errorf("there is no option %q; it takes none", name)
		case !ok:
			return fmt.Errorf("there is no option %q; it takes %s", name, strings.Join(names, ", "))
		default:
			if err := setOption(field, reflect.ValueOf(v)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

var (
	linesType    = reflect.TypeFor[lines]()
	locatorType  = reflect.TypeFor[playwright.Locator]()
	selectorType = reflect.TypeFor[tool.Selector]()
)

func setOption(field, v reflect.Value) error {
	t := field.Type()
	switch {
	case t.Kind() == reflect.Pointer:
		field.Set(reflect.New(t.Elem()))
		return setOption(field.Elem(), v)
	case t == linesType:
		switch want := v.Interface().(type) {
		case string:
			field.Set(reflect.ValueOf(lines{text: want}))
			return nil
		case *regexp.Regexp:
			field.Set(reflect.ValueOf(lines{pattern: want}))
			return nil
		}
		return fmt.Errorf("expected a text or a pattern, got %s", kindOf(v))
	case v.Type().AssignableTo(t):
		field.Set(v)
		return nil
	case t == selectorType && v.Kind() == reflect.String:
		field.SetString(v.String())
		return nil
	case number(v) && field.CanFloat():
		field.SetFloat(v.Convert(reflect.TypeFor[float64]()).Float())
		return nil
	case number(v) && field.CanInt():
		n := v.Convert(reflect.TypeFor[float64]()).Float()
		if n != math.Trunc(n) || math.Abs(n) > 1<<31 {
			return fmt.Errorf("expected a whole number, got %v", n)
		}
		field.SetInt(int64(n))
		return nil
	case t.Kind() == reflect.Slice && v.Kind() == reflect.Slice:
		list := reflect.MakeSlice(t, v.Len(), v.Len())
		for i := range v.Len() {
			if err := setOption(list.Index(i), v.Index(i).Elem()); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		field.Set(list)
		return nil
	}
	return fmt.Errorf("expected %s, got %s", expectedOption(t), kindOf(v))
}

func number(v reflect.Value) bool { return v.CanInt() || v.CanFloat() }

func expectedOption(t reflect.Type) string {
	switch {
	case t == locatorType:
		return "a locator, such as $('e5')"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Slice:
		return "an array"
	case t.Kind() == reflect.String:
		return "a text"
	}
	return "a number"
}

func kindOf(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return "null"
	case number(v):
		return "a number"
	case v.Kind() == reflect.String:
		return "a text"
	case v.Kind() == reflect.Bool:
		return "true or false"
	case v.Type() == reflect.TypeFor[*regexp.Regexp]():
		return "a pattern"
	case v.Kind() == reflect.Slice:
		return "an array"
	}
	return "an object"
}

// lines picks lines of a text: those that hold a text, or match a pattern. The
// zero value picks all.
type lines struct {
	text    string
	pattern *regexp.Regexp
}

func (l lines) match(line string) bool {
	if l.pattern != nil {
		return l.pattern.MatchString(line)
	}
	return strings.Contains(line, l.text)
}

func (l lines) all() bool { return l.pattern == nil && l.text == "" }

// of are the lines that match.
func (l lines) of(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(line string) bool { return !l.match(line) })
}
