package devtools

import (
	"context"
	_ "embed"
	"fmt"
)

// computed are the values of all properties: CSS.getComputedStyleForNode.
func (p *Page) computed(ctx context.Context, node int) (map[string]string, error) {
	var reply struct {
		ComputedStyle []struct{ Name, Value string }
	}
	err := p.call(ctx, "CSS.getComputedStyleForNode", map[string]any{"nodeId": node}, &reply)
	out := map[string]string{}
	for _, c := range reply.ComputedStyle {
		out[c.Name] = c.Value
	}
	return out, err
}

// choose keeps the computed values of some properties.
func (s *Styles) choose(names []string) error {
	all := s.Computed
	s.Computed = map[string]string{}
	for _, name := range names {
		value, ok := all[name]
		if !ok {
			return fmt.Errorf("computed: there is no property %q; shorthands have no value, name what they stand for", name)
		}
		s.Computed[name] = value
	}
	return nil
}

//go:embed defaults.js
var defaultsScript string

// dropDefaults keeps the values of properties that rules of the page change from what
// the element would have without any rule.
func (p *Page) dropDefaults(ctx context.Context, objectID string, values map[string]string, set map[string]bool) error {
	var reply struct {
		Result struct{ Value map[string]string }
	}
	err := p.call(ctx, "Runtime.callFunctionOn", map[string]any{"objectId": objectID, "functionDeclaration": defaultsScript, "returnByValue": true}, &reply)
	if err != nil {
		return err
	}
	for name, value := range values {
		plain, known := reply.Result.Value[name]
		if !set[name] || !known || plain == value {
			delete(values, name)
		}
	}
	return nil
}
