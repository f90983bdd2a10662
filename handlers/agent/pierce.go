package agent

import (
	"context"
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/cdp"
)

// A page's scripts can't see which elements have listeners, nor what is in closed shadow roots.
// Chromium tells DevTools both. pwpipe keeps this beside the refs, in the driver's world of each
// frame, where refs.js asks for it.

// pierceSource makes the object that keeps it.
//
//go:embed pierce.js
var pierceSource string

// These constants bound what is asked before a snapshot.
const (
	maxPiercing = 2 * time.Second
	maxHeard    = 1500 // new elements with a listener
	maxHosts    = 100  // that pierce.js hands over at once
	maxTypes    = 20   // an element that listens to more is a framework's root
	maxFrames   = 8
	maxTries    = 8
	maxRounds   = 30 // of questions for closed roots, which may contain closed roots
)

var piercings browser.State[*browser.Page, piercing]

// piercing holds what DevTools told about a page's document.
type piercing struct {
	mu     sync.Mutex
	main   string              // world of the main frame
	worlds map[string]*pierced // by world
}

// pierced holds what DevTools told about a frame's document.
type pierced struct {
	object   string       // of pierceSource
	document string       // the frame's document, in the world of its scripts
	known    map[int]bool // nodes with a listener, by DevTools id
}

// used lists the events of a mouse and a finger, among them what is dropped on an element.
var used = map[string]bool{"click": true, "dblclick": true, "mousedown": true, "mouseup": true, "pointerdown": true,
	"pointerup": true, "touchstart": true, "touchend": true, "dragstart": true, "drop": true}

// pierce looks for listeners and closed roots. If Chromium does not answer in time, the snapshot does
// without some of them, and pierce returns false.
func pierce(c *tool.Call) bool {
	ctx, cancel := context.WithTimeout(c.Ctx, maxPiercing)
	defer cancel()
	return pierceWithin(ctx, c) && ctx.Err() == nil
}

func pierceWithin(ctx context.Context, c *tool.Call) (answered bool) {
	began := time.Now()
	s, worlds := fastpath.Known(ctx, c.Page)
	for try := 0; s == nil && try < maxTries; try++ { // a document's first question takes longest
		s, worlds = fastpath.Worlds(ctx, c.Page)
	}
	if s == nil {
		return time.Since(began) < maxPiercing/2 // else there is a line of ours, and it was too slow
	}
	p := piercings.Of(c.Page)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.main != worlds[0].Unique {
		p.main, p.worlds = worlds[0].Unique, map[string]*pierced{}
	}
	worlds = worlds[:min(len(worlds), maxFrames)]
	defer s.Send("Runtime.releaseObjectGroup", map[string]any{"objectGroup": pierceGroup}, nil)
	maps.DeleteFunc(p.worlds, func(unique string, _ *pierced) bool {
		return !slices.ContainsFunc(worlds, func(w fastpath.World) bool { return w.Unique == unique })
	})
	for _, first := range p.look(ctx, s, worlds) {
		w := first.world
		for round := range maxRounds {
			if round == 0 && !first.suspects || !p.openClosed(ctx, s, w, round == 0) {
				break
			}
		}
		if first.unasked {
			p.askMeaning(ctx, s, w)
		}
		if first.heard == nil {
			continue
		}
		var roots []string
		if first.suspects || first.shadows {
			roots = p.shadows(ctx, s, w)
		}
		p.hear(ctx, s, w, append(first.heard, p.heardIn(ctx, s, roots)...))
	}
	return true
}

// looked is what a frame's document answered at once.
type looked struct {
	world    fastpath.World
	suspects bool       // there may be closed roots
	shadows  bool       // there are shadow roots
	unasked  bool       // there are custom elements that may have a role which no script can see
	heard    []listener // nil where Chromium did not say
}

// listener is an event that a node listens to.
type listener struct {
	Type          string
	BackendNodeID int
}

// told is Chromium's answer to what is asked at once.
type told struct {
	Result    struct{ Value string }
	Listeners []listener
}

// look asks all frames at once what is true of most: no root may be closed, none is open, and
// nobody new listens.
func (p *piercing) look(ctx context.Context, s *cdp.Session, worlds []fastpath.World) []looked {
	var list []looked
	var questions []question
	for _, w := range worlds {
		if known := p.of(ctx, s, w); known.object != "" && known.document != "" {
			list = append(list, looked{world: w})
			questions = append(questions, question{"Runtime.callFunctionOn", map[string]any{"objectId": known.object,
				"functionDeclaration": "function() { return this.look() }", "silent": true, "returnByValue": true}},
				listenersBelow(known.document))
		}
	}
	all := answers[told](ctx, s, questions)
	if all == nil {
		return nil
	}
	for i := range list {
		list[i].suspects = strings.Contains(all[2*i].Result.Value, "s")
		list[i].shadows = strings.Contains(all[2*i].Result.Value, "r")
		list[i].unasked = strings.Contains(all[2*i].Result.Value, "c")
		list[i].heard = all[2*i+1].Listeners
	}
	return list
}

func listenersBelow(root string) question {
	return question{"DOMDebugger.getEventListeners", map[string]any{"objectId": root, "depth": -1}}
}

// pierceGroup names the objects that are released at the end.
const pierceGroup = "pwpipe-pierce"

// of returns what is known of a world's document.
func (p *piercing) of(ctx context.Context, s *cdp.Session, w fastpath.World) *pierced {
	known := p.worlds[w.Unique]
	if known == nil {
		var object, document remote
		_ = s.Call(ctx, "Runtime.evaluate", evaluated(pierceSource, w.Unique), &object)
		if w.Page != "" {
			_ = s.Call(ctx, "Runtime.evaluate", evaluated("document", w.Page), &document)
		}
		known = &pierced{object.Result.ObjectID, document.Result.ObjectID, map[int]bool{}}
		p.worlds[w.Unique] = known
	}
	return known
}

// hear tells a frame's world which elements have a listener.
func (p *piercing) hear(ctx context.Context, s *cdp.Session, w fastpath.World, heard []listener) {
	ids := users(heard)
	known := p.worlds[w.Unique].known
	var fresh []int
	gone := []int{}
	now := map[int]bool{}
	for _, id := range ids {
		if now[id] = true; !known[id] && len(fresh) < maxHeard {
			known[id] = true
			fresh = append(fresh, id)
		}
	}
	for id := range known {
		if !now[id] {
			gone = append(gone, id)
			delete(known, id)
		}
	}
	if len(fresh)+len(gone) == 0 {
		return
	}
	if len(fresh) > 0 {
		_, _ = p.call(ctx, s, w, "this.touch", true)
	}
	mine, nodes := []int{}, []any{}
	for i, object := range resolve(ctx, s, w, fresh) {
		if object != "" {
			mine, nodes = append(mine, fresh[i]), append(nodes, map[string]any{"objectId": object})
		}
	}
	args := []any{map[string]any{"value": mine}, map[string]any{"value": gone}}
	_, _ = p.call(ctx, s, w, "this.hear", true, append(args, nodes...)...)
}

// users are the nodes that listen to what a person does, by DevTools id.
func users(heard []listener) (ids []int) {
	types, uses := map[int]int{}, map[int]bool{}
	for _, l := range heard {
		types[l.BackendNodeID]++
		if used[l.Type] && l.BackendNodeID != 0 && !uses[l.BackendNodeID] {
			uses[l.BackendNodeID] = true
			ids = append(ids, l.BackendNodeID)
		}
	}
	return slices.DeleteFunc(ids, func(id int) bool { return types[id] > maxTypes })
}

// heardIn returns the listeners in shadow trees. It asks about each tree by itself: if it asked
// for all at once (pierce), Chromium would break the frames in them. Only the world of the page's
// scripts knows their listeners.
func (p *piercing) heardIn(ctx context.Context, s *cdp.Session, roots []string) (heard []listener) {
	var questions []question
	for _, root := range roots {
		questions = append(questions, listenersBelow(root))
	}
	for _, one := range answers[told](ctx, s, questions) {
		heard = append(heard, one.Listeners...)
	}
	for _, root := range roots {
		s.Send("Runtime.releaseObject", map[string]any{"objectId": root}, nil)
	}
	return heard
}

// shadows returns objects of a frame's shadow roots, in the world of the page's scripts.
func (p *piercing) shadows(ctx context.Context, s *cdp.Session, w fastpath.World) (objects []string) {
	roots := p.objects(ctx, s, w, "this.shadows")
	for _, one := range describe(ctx, s, roots) {
		var r remote
		node := map[string]any{"backendNodeId": one.Node.BackendNodeID}
		if one.Node.BackendNodeID != 0 && s.Call(ctx, "DOM.resolveNode", node, &r) == nil {
			objects = append(objects, r.Object.ObjectID)
		}
	}
	return objects
}

// openClosed hands closed shadow roots of a frame to its world, and reports whether there may be more.
func (p *piercing) openClosed(ctx context.Context, s *cdp.Session, w fastpath.World, first bool) bool {
	hosts := p.objects(ctx, s, w, "this.suspects", first)
	described := describe(ctx, s, hosts)
	if len(described) == 0 {
		return false
	}
	closed := make([]int, len(described))
	for i, one := range described {
		for _, root := range one.Node.ShadowRoots {
			if root.ShadowRootType == "closed" {
				closed[i] = root.BackendNodeID
			}
		}
	}
	without, more := []any{}, false
	for i, root := range resolve(ctx, s, w, closed) {
		host := map[string]any{"objectId": hosts[i]}
		if root == "" {
			without = append(without, host)
			continue
		}
		_, err := p.call(ctx, s, w, "this.add", true, host, map[string]any{"objectId": root})
		more = more || err == nil
	}
	_, err := p.call(ctx, s, w, "this.clear", true, without...)
	return more || err == nil && len(hosts) >= maxHosts
}
