package agent

import (
	"context"
	"encoding/json"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/browser/cdp"
)

// remote is DevTools' answer with an object of a page.
type remote struct {
	Result struct {
		ObjectID string
		Value    json.RawMessage
	}
	Object struct{ ObjectID string } // of DOM.resolveNode
}

// evaluated returns the parameters that evaluate an expression in a world.
func evaluated(expression, world string) map[string]any {
	return map[string]any{"expression": expression, "uniqueContextId": world, "silent": true}
}

// call calls a method of pierceSource's object.
func (p *piercing) call(ctx context.Context, s *cdp.Session, w fastpath.World,
	method string, byValue bool, args ...any) (r remote, err error) {
	object := p.of(ctx, s, w).object
	if object == "" {
		return r, cdp.ErrGone
	}
	err = s.Call(ctx, "Runtime.callFunctionOn", map[string]any{
		"objectId": object, "silent": true, "objectGroup": pierceGroup,
		"functionDeclaration": "function(...all) { return " + method + "(...all) }",
		"arguments":           append([]any{}, args...), "returnByValue": byValue}, &r)
	return r, err
}

// objects returns the objects in an array that a method of pierceSource's object answers.
func (p *piercing) objects(ctx context.Context, s *cdp.Session, w fastpath.World,
	method string, values ...any) (objects []string) {
	args := []any{}
	for _, v := range values {
		args = append(args, map[string]any{"value": v})
	}
	list, err := p.call(ctx, s, w, method, false, args...)
	if err != nil || list.Result.ObjectID == "" {
		return nil
	}
	return elementsOf(ctx, s, list.Result.ObjectID)
}

// elementsOf are the objects in an array.
func elementsOf(ctx context.Context, s *cdp.Session, array string) (objects []string) {
	var r struct {
		Result []struct {
			Enumerable bool
			Value      struct{ ObjectID string }
		}
	}
	_ = s.Call(ctx, "Runtime.getProperties", map[string]any{"objectId": array, "ownProperties": true}, &r)
	for _, v := range r.Result {
		if v.Enumerable && v.Value.ObjectID != "" {
			objects = append(objects, v.Value.ObjectID)
		}
	}
	return objects
}

// question is a command of DevTools with its parameters.
type question struct {
	method string
	params map[string]any
}

// answers asks all at once, and waits for all answers: the zero value for one that Chromium did not
// give, nil if ctx has ended.
func answers[T any](ctx context.Context, s *cdp.Session, questions []question) []T {
	list := make([]T, len(questions))
	answered := make(chan struct{}, len(questions))
	for i, q := range questions {
		s.Send(q.method, q.params, func(raw json.RawMessage, err error) {
			var answer T
			if err == nil && json.Unmarshal(raw, &answer) == nil {
				list[i] = answer
			}
			answered <- struct{}{}
		})
	}
	for range questions {
		select {
		case <-answered:
		case <-ctx.Done(): // answers may still come
			return nil
		}
	}
	return list
}

// resolve returns a world's objects of nodes, "" for a node that has none.
func resolve(ctx context.Context, s *cdp.Session, w fastpath.World, ids []int) (objects []string) {
	var questions []question
	for _, id := range ids {
		questions = append(questions, question{"DOM.resolveNode",
			map[string]any{"backendNodeId": id, "executionContextId": w.ID, "objectGroup": pierceGroup}})
	}
	for _, r := range answers[remote](ctx, s, questions) {
		objects = append(objects, r.Object.ObjectID)
	}
	return objects
}

// described is what DevTools says of a node.
type described struct {
	Node struct {
		BackendNodeID int
		ShadowRoots   []struct {
			BackendNodeID  int
			ShadowRootType string
		}
	}
}

// describe asks about nodes, with their closed shadow roots.
func describe(ctx context.Context, s *cdp.Session, objects []string) []described {
	var questions []question
	for _, object := range objects {
		questions = append(questions, question{"DOM.describeNode",
			map[string]any{"objectId": object, "depth": 0, "pierce": true}})
	}
	return answers[described](ctx, s, questions)
}
