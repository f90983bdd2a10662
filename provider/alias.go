package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Alias makes a tool a second name of another: it does what that one does, with
// parameters of other names and an answer of another shape. Of its [Spec] the name,
// the texts, the profiles and the deadline are its own. All else is the tool's.
type Alias struct {
	Of string // the tool's name
	// Params are what it takes of the tool's parameters, in positional order; nil: all
	// that the tool takes.
	Params []As
	// Answer makes its answer; nil: it answers what the tool answers.
	Answer *Shape
	// Deprecated marks a name that only clients of old need: it works, lists for models
	// leave it out, and lists for people say so.
	Deprecated bool
}

// As is a parameter of a tool as an alias takes it. What is empty is as the tool has it.
type As struct {
	Param              string // as the tool calls it
	Name, Doc, Default string
	Required, Optional bool
	Fixed              json.RawMessage // its value: the alias does not take it
}

// Shape makes an alias's answer of what its tool answered. Make one with [Answer].
type Shape struct {
	in, from, to reflect.Type // of from nil: any
	make         func(ctx context.Context, in, answer any) (any, error)
}

// Answer is a shape. fn runs under the tool's deadline, after it: In and From are the
// types of the tool's parameters and answer.
func Answer[In, From, To any](fn func(ctx context.Context, in In, answer From) (To, error)) *Shape {
	s := &Shape{in: reflect.TypeFor[In](), from: reflect.TypeFor[From](), to: reflect.TypeFor[To]()}
	s.make = func(ctx context.Context, in, answer any) (any, error) { return fn(ctx, in.(In), answer.(From)) }
	return s
}

// Always is the shape of an answer that is the same whatever the tool answered.
func Always[To any](answer To) *Shape {
	return &Shape{to: reflect.TypeFor[To](), make: func(context.Context, any, any) (any, error) { return answer, nil }}
}

// AliasOf declares an alias. [Link] makes it callable.
func AliasOf(spec Spec, a Alias) *Tool { return &Tool{Spec: spec, Alias: a} }

// Link finds the tools that aliases stand for among all tools. It panics where there
// is none, or where a declaration does not fit it.
func Link(tools []*Tool) {
	for _, t := range tools {
		if t.Alias.Of == "" || t.run != nil {
			continue
		}
		i := slices.IndexFunc(tools, func(other *Tool) bool { return other.Name == t.Alias.Of && other.Alias.Of == "" })
		if i < 0 {
			panic("provider: " + t.Name + ": there is no tool " + t.Alias.Of)
		}
		t.link(tools[i])
	}
}

// link makes an alias of a tool.
func (t *Tool) link(tool *Tool) {
	own, a := t.Spec, t.Alias
	*t = *tool
	t.Alias, t.Name, t.Profile, t.Also = a, own.Name, own.Profile, own.Also
	t.Title, t.Doc, t.Timeout = own.Title, own.Doc, own.Timeout
	t.TimeoutUnit = cmp.Or(own.TimeoutUnit, tool.TimeoutUnit)
	if a.Params != nil {
		takeParams(t, tool)
	}
	if shape := a.Answer; shape != nil {
		if shape.from != nil && !(tool.out.AssignableTo(shape.from) && tool.in.AssignableTo(shape.in)) {
			panic(fmt.Sprintf("provider: %s: %s answers %v to %v, not %v to %v",
				t.Name, tool.Name, tool.out, tool.in, shape.from, shape.in))
		}
		t.returns(shape.to)
	}
	t.run = func(ctx context.Context, in reflect.Value, timed Timed) error {
		return t.asAlias(ctx, tool, in, timed)
	}
}

// asAlias runs an alias's tool, and answers as the alias does.
func (t *Tool) asAlias(ctx context.Context, tool *Tool, in reflect.Value, timed Timed) error {
	a := &shapedAnswer{shape: t.Alias.Answer}
	if a.shape != nil {
		ctx = context.WithValue(ctx, answerKey, a)
	}
	return tool.run(ctx, in, func(ctx context.Context, part func(context.Context) (any, error)) error {
		return timed(ctx, func(ctx context.Context) (any, error) {
			value, err := part(ctx)
			if a.shape == nil {
				return value, t.renamed(err)
			}
			if err == nil {
				err = Shaped(ctx, in.Interface(), value)
			}
			if err != nil { // what runs on after its deadline may still write the value
				return nil, t.renamed(err)
			}
			return a.value, nil
		})
	})
}

// takeParams gives an alias its parameters.
func takeParams(t, tool *Tool) {
	all := append(slices.Clone(tool.Params), tool.hidden...)
	t.Params, t.hidden = []Param{}, nil
	for _, as := range t.Alias.Params {
		p := paramNamed(all, as.Param)
		if p == nil {
			panic(fmt.Sprintf("provider: %s: %s has no parameter %s", t.Name, tool.Name, as.Param))
		}
		if own := as.of(*p); as.Fixed != nil {
			t.hidden = append(t.hidden, own)
		} else {
			t.Params = append(t.Params, own)
		}
	}
	for _, p := range all {
		if slices.ContainsFunc(t.Alias.Params, func(as As) bool { return as.Param == p.Name }) {
			continue
		}
		if !p.Optional {
			panic(fmt.Sprintf("provider: %s: %s needs %s", t.Name, tool.Name, p.Name))
		}
		t.hidden = append(t.hidden, p)
	}
	t.In = schemaOfParams(t.Params)
	t.Target = t.called(tool.Target)
}

// of is a parameter as the alias takes it.
func (as As) of(p Param) Param {
	p.Name, p.Doc = cmp.Or(as.Name, p.Name), cmp.Or(as.Doc, p.Doc)
	if as.Default != "" {
		p.Default = as.Default
		p.fallback = defaultJSON(p)
	}
	if as.Fixed != nil {
		p.fallback = as.Fixed
	}
	p.Optional = as.Optional || p.Optional && !as.Required
	return p.neverNull()
}

// called is the alias's name of one of the tool's parameters.
func (t *Tool) called(param string) string {
	for _, as := range t.Alias.Params {
		if as.Param == param && as.Name != "" {
			return as.Name
		}
	}
	return param
}

// renamed is an error of the tool about one of its parameters, with the name that the
// caller knows.
func (t *Tool) renamed(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindArgs {
		return err
	}
	for _, as := range t.Alias.Params {
		if rest, ok := strings.CutPrefix(e.Msg, as.Param+": "); ok && as.Name != "" {
			own := *e
			own.Msg = as.Name + ": " + rest
			return &own
		}
	}
	return err
}

// ParamFrom returns the name and the position that a parameter of the tool which ctx
// runs has for the caller. Under an alias it is the alias's.
func ParamFrom(ctx context.Context, param string) (name string, at int) {
	tool := runningIn(ctx).tool
	name = tool.called(param)
	return name, slices.IndexFunc(tool.Params, func(p Param) bool { return p.Name == name })
}
