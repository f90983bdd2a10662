package agent

import (
	"context"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/browser/cdp"
)

// A custom element may keep its role, name and states in its ElementInternals, which no other script can
// see. Chromium's accessibility tree has them.

// axNodes is Chromium's answer about an element.
type axNodes struct {
	Nodes []struct {
		Role       axValue
		Name       axValue
		Value      axValue
		Properties []struct {
			Name  string
			Value axValue
		}
	}
}

type axValue struct{ Value any }

// meaning is what pierce.js keeps of an element.
type meaning struct {
	Role   any            `json:"role"`
	Name   any            `json:"name"`
	Value  any            `json:"value"`
	States map[string]any `json:"states"`
}

// askMeaning hands to a frame's world what the accessibility tree says of its custom elements. Chromium makes the
// tree for that, and drops it then.
func (p *piercing) askMeaning(ctx context.Context, s *cdp.Session, w fastpath.World) {
	elements := p.objects(ctx, s, w, "this.unasked")
	if len(elements) == 0 {
		return
	}
	s.Send("Accessibility.enable", nil, nil)
	defer s.Send("Accessibility.disable", nil, nil)
	var questions []question
	for _, e := range elements {
		questions = append(questions, question{"Accessibility.getPartialAXTree",
			map[string]any{"objectId": e, "fetchRelatives": false}})
	}
	all := answers[axNodes](ctx, s, questions)
	if all == nil {
		return
	}
	told, nodes := make([]meaning, len(all)), []any{}
	for i, one := range all {
		nodes = append(nodes, map[string]any{"objectId": elements[i]})
		if len(one.Nodes) == 0 {
			continue
		}
		n := one.Nodes[0]
		told[i] = meaning{n.Role.Value, n.Name.Value, n.Value.Value, map[string]any{}}
		for _, property := range n.Properties {
			told[i].States[property.Name] = property.Value.Value
		}
	}
	_, _ = p.call(ctx, s, w, "this.mean", true, append([]any{map[string]any{"value": told}}, nodes...)...)
}
