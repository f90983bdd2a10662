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
	var r struct {
		Result []struct {
			Enumerable bool
			Value      struct{ ObjectID string }
		}
	}
	_ = s.Call(ctx, "Runtime.getProperties", map[string]any{"objectId": list.Result.ObjectID, "ownProperties": true}, &r)
	for _, v := range r.Result {
		if v.Enumerable && v.Value.ObjectID != "" {
			objects = append(objects, v.Value.ObjectID)
		}
	}
	return objects
}

// resolve returns a world's objects of nodes, "" for a node that has none.
func resolve(ctx context.Context, s *cdp.Session, w fastpath.World, ids []int) []string {
	objects := make([]string, len(ids))
	each(ctx, len(ids), func(i int, done func()) {
		node := map[string]any{"backendNodeId": ids[i], "executionContextId": w.ID, "objectGroup": pierceGroup}
		s.Send("DOM.resolveNode", node, func(raw json.RawMessage, err error) {
			var r remote
			if err == nil && json.Unmarshal(raw, &r) == nil {
				objects[i] = r.Object.ObjectID
			}
			done()
		})
	})
	if ctx.Err() != nil { // answers may still come
		return nil
	}
	return objects
}

// each asks n questions at once, and waits for all answers.
func each(ctx context.Context, n int, ask func(i int, done func())) {
	answered := make(chan struct{}, n)
	for i := range n {
		ask(i, func() { answered <- struct{}{} })
	}
	for range n {
		select {
		case <-answered:
		case <-ctx.Done():
			return
		}
	}
}

// described is what DevTools says of a node.
type described struct {
	BackendNodeID int
	ShadowRoots   []struct {
		BackendNodeID  int
		ShadowRootType string
	}
}

// describe asks about nodes, with their closed shadow roots.
func describe(ctx context.Context, s *cdp.Session, objects []string) []described {
	list := make([]described, len(objects))
	each(ctx, len(objects), func(i int, done func()) {
		node := map[string]any{"objectId": objects[i], "depth": 0, "pierce": true}
		s.Send("DOM.describeNode", node, func(raw json.RawMessage, err error) {
			var r struct{ Node described }
			if err == nil && json.Unmarshal(raw, &r) == nil {
				list[i] = r.Node
			}
			done()
		})
	})
	if ctx.Err() != nil { // answers may still come
		return nil
	}
	return list
}
