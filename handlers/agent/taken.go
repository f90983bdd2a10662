package agent

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/refs"
	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// taken is what the engine of refs says of the element that took a press of the mouse.
type taken struct {
	Said  string // its role, name and ref
	Wants string // slide or drag: what it is made for
	Meant bool   // the call's selector is of it alone
}

// What to do instead with an element that takes no clicks.
const (
	slides = "a slider takes fill, press with an arrow key, or drag"
	drags  = "it is made to be dragged: drag"
)

// nothing is the line about an act that changed nothing: what took the click, unless the call named it
// by a ref or alone, and what it takes instead.
func (w *witnessed) nothing(what string) string {
	line := "nothing changed " + what
	_, target := provider.AimFrom(w.ctx).At()
	var t taken
	if !w.watched || !clicks[provider.SpecFrom(w.ctx).Name] {
		return happened(line)
	}
	answer, ok := w.ask("taker " + url.PathEscape(target))
	if !ok || json.Unmarshal([]byte(answer), &t) != nil || t.Said == "" {
		return happened(line)
	}
	if !t.Meant && !refs.IsRef(target) {
		line += "; " + w.page.Short(t.Said, 200) + " took the click"
	}
	wants := map[string]string{"slide": slides, "drag": drags}[t.Wants]
	if wants == "" {
		wants = instead(listenedTo(w))
	}
	if wants != "" {
		line += "; " + wants
	}
	return happened(line)
}

// clicks are the tools that press the mouse once.
var clicks = map[string]bool{"click": true, "dclick": true}

// instead says which act an element takes that listens to such events, "" where a click may do.
func instead(types []string) string {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(types, name) })
	}
	switch {
	case has("click", "mouseup", "pointerup", "touchend"):
		return ""
	case has("pointerdown", "mousedown", "touchstart", "dragstart"):
		return "it listens to the begin of a press and to no click: " +
			"drag it, or hold it (mouse-move, mouse-down, mouse-up)"
	case has("dblclick"):
		return "it listens to double clicks alone: dclick"
	case has("keydown", "keyup", "keypress"):
		return "it listens to keys and to no click: press"
	}
	return ""
}

// listenedTo returns the events to which the clicked element listens, or else the nearest element around it that
// listens to any. It returns none for the root of a framework, which listens to all.
func listenedTo(w *witnessed) (types []string) {
	ctx, cancel := context.WithTimeout(w.ctx, maxLook)
	defer cancel()
	s, worlds := fastpath.Known(ctx, w.page)
	if s == nil || len(worlds) == 0 {
		return nil
	}
	defer s.Send("Runtime.releaseObjectGroup", map[string]any{"objectGroup": pierceGroup}, nil)
	var list remote
	const takers = "globalThis[Symbol.for('pwpipe')].takers()"
	params := evaluated(takers, worlds[0].Unique)
	params["objectGroup"] = pierceGroup
	if s.Call(ctx, "Runtime.evaluate", params, &list) != nil || list.Result.ObjectID == "" {
		return nil
	}
	for _, one := range describe(ctx, s, elementsOf(ctx, s, list.Result.ObjectID)) {
		if types = listenersOf(ctx, s, one.Node.BackendNodeID); len(types) > 0 {
			break
		}
	}
	if len(types) > maxTypes {
		return nil
	}
	return types
}

// listenersOf are the events that a node listens to, also by React's properties.
func listenersOf(ctx context.Context, s *cdp.Session, id int) (types []string) {
	var r remote
	node := map[string]any{"backendNodeId": id, "objectGroup": pierceGroup}
	if id == 0 || s.Call(ctx, "DOM.resolveNode", node, &r) != nil {
		return nil
	}
	var heard told
	_ = s.Call(ctx, "DOMDebugger.getEventListeners", map[string]any{"objectId": r.Object.ObjectID}, &heard)
	for _, l := range heard.Listeners {
		types = append(types, l.Type)
	}
	var props remote
	_ = s.Call(ctx, "Runtime.callFunctionOn", map[string]any{"objectId": r.Object.ObjectID, "silent": true,
		"returnByValue": true, "functionDeclaration": reactProps}, &props)
	var names []string
	_ = json.Unmarshal(props.Result.Value, &names)
	for _, name := range names[:min(len(names), maxTypes)] {
		types = append(types, strings.ToLower(strings.TrimPrefix(name, "on")))
	}
	return slices.DeleteFunc(types, func(name string) bool { return !used[name] && !strings.HasPrefix(name, "key") })
}

const reactProps = `function() {
  const key = Object.keys(this).find((k) => k.startsWith('__reactProps$'));
  return key ? Object.keys(this[key]).filter((k) => /^on[A-Z]/.test(k) && typeof this[key][k] === 'function') : [];
}`
