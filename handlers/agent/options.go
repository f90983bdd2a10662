package agent

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
)

// WithOptions makes a helper of scripts of a function whose options are the fields of a struct, by
// their JSON names.
func WithOptions[In any](fn func(*tool.Call, In) (any, error)) func(*tool.Call, map[string]any) (any, error) {
	return func(c *tool.Call, o map[string]any) (any, error) {
		var in In
		if err := setOptions(reflect.ValueOf(&in).Elem(), o); err != nil {
			return nil, err
		}
		fastpath.Ahead(c.Session) // what the script did just now the driver may not have heard of
		return fn(c, in)
	}
}

// setOptions fills a struct. Values are those of JSON, and locators. An option that does not
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
	searchType  = reflect.TypeFor[search]()
	locatorType = reflect.TypeFor[playwright.Locator]()
	// kinds are what options and values are called.
	kinds = map[reflect.Kind]string{reflect.Bool: "true or false", reflect.Slice: "an array", reflect.String: "a text"}
)

func setOption(field, v reflect.Value) error {
	t := field.Type()
	switch {
	case t.Kind() == reflect.Pointer:
		field.Set(reflect.New(t.Elem()))
		return setOption(field.Elem(), v)
	case t.Kind() == reflect.String && v.Kind() == reflect.String:
		field.SetString(v.String())
		return nil
	case v.IsValid() && v.Type().AssignableTo(t):
		field.Set(v)
		return nil
	case v.CanFloat() && field.CanFloat():
		field.SetFloat(v.Float())
		return nil
	case v.CanFloat() && field.CanInt():
		n := v.Float()
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

func expectedOption(t reflect.Type) string {
	switch {
	case t == locatorType:
		return "a locator, such as $('e5')"
	case t == searchType:
		return "a text or a pattern"
	}
	return cmp.Or(kinds[t.Kind()], "a number")
}

func kindOf(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return "null"
	case v.CanFloat():
		return "a number"
	}
	return cmp.Or(kinds[v.Kind()], "an object")
}

// search picks the lines that hold a text, "" all of them. A pattern is matched
// where scripts run.
type search string

func (s search) match(line string) bool { return strings.Contains(line, string(s)) }
