package provider

import (
	"context"
	"fmt"
	"reflect"
)

// Typed is a tool that Go code calls with a value of its parameters, and not by its name with JSON. What
// declares a tool makes it of the tool's function, whose types it has.
type Typed[In, Out any] struct{ Tool *Tool }

// Call calls the tool from the handler of another: like [Call], on the same table, which may not have the tool. A
// parameter that may be left out is where its value is zero. Of r it takes the page and the time.
func (t Typed[In, Out]) Call(ctx context.Context, r Request, in In) (out Out, err error) {
	err = callTyped(ctx, t.Tool, r, &in, &out)
	return out, err
}

// callTyped has no type parameters: Go would compile it again for each tool.
func callTyped(ctx context.Context, t *Tool, r Request, in, out any) error {
	r.Tool, r.args.in = t.Name, reflect.ValueOf(in).Elem()
	result, err := Call(ctx, r)
	if err != nil {
		return err
	}
	to, value := reflect.ValueOf(out).Elem(), reflect.ValueOf(result.Value)
	if value.Type() != to.Type() {
		return Errorf(KindFailed, "%s: the answer holds a secret in the place of a number", t.Name)
	}
	to.Set(value)
	return nil
}

// complete sets the defaults of the parameters that Go code has left out, and checks the others.
func complete(in reflect.Value, params []Param) error {
	for i := range params {
		if err := params[i].complete(in.FieldByIndex(params[i].index)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Param) complete(v reflect.Value) error {
	switch kind := v.Kind(); {
	case v.IsZero() && p.Optional && p.fallback == nil:
		return nil
	case v.IsZero() && p.Optional:
		return setValue(v, p.fallback, p.Name)
	case v.IsZero() && (kind == reflect.Slice || kind == reflect.Map || kind == reflect.Pointer):
		return fmt.Errorf("missing parameter %q (%s)", p.Name, typeName(p.typ))
	case kind == reflect.Struct:
		return complete(v, knownParams(v.Type()))
	case kind == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		for i := range v.Len() {
			if err := complete(v.Index(i), knownParams(v.Type().Elem())); err != nil {
				return fmt.Errorf("%s[%d]: %w", p.Name, i, err)
			}
		}
	}
	return p.check(v)
}
