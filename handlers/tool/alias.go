package tool

import (
	"context"

	"pwpipe/provider"
)

// Second declares a second name of a tool, for [Alias]: its effect is that tool's.
func (p Profile) Second(name, title, doc string) Spec { return p.spec(name, title, doc, 0) }

// Alias declares a tool that does what another does: see [provider.Alias].
func Alias(s Spec, of string, answer *provider.Shape, params ...provider.As) *provider.Tool {
	return provider.AliasOf(provider.Spec(s), provider.Alias{Of: of, Params: params, Answer: answer})
}

// As is a parameter of a tool under another name.
func As(param, name string) provider.As { return provider.As{Param: param, Name: name} }

type callKey struct{}

// Answer is the shape of an alias's answer, made on the page.
func Answer[In, From, To any](fn func(c *Call, in In, answer From) (To, error)) *provider.Shape {
	return provider.Answer(func(ctx context.Context, in In, answer From) (To, error) {
		return fn(ctx.Value(callKey{}).(*Call), in, answer)
	})
}

// shaped makes the answer of an alias where the tool's own was made.
func shaped[In, Out any](fn func(*Call, In) (Out, error)) func(*Call, In) (Out, error) {
	return func(c *Call, in In) (Out, error) {
		out, err := fn(c, in)
		if err == nil {
			err = provider.Shaped(context.WithValue(c.Ctx, callKey{}, c), in, out)
		}
		return out, err
	}
}
