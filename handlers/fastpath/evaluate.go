package fastpath

import (
	"context"
	"fmt"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

// evaluator is what a page's document has of a function that evaluates.
type evaluator struct {
	mu     sync.Mutex
	object string // its DevTools id, "" if there is none yet
	ahead  int    // calls since the driver was last waited for
}

// mostAhead is how many calls may run before the driver is waited for: scripts
// that say much would leave it so far behind that it seems to be hung.
const mostAhead = 10

// far counts a call, and reports whether the driver is to be waited for.
func (e *evaluator) far() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ahead++; e.ahead < mostAhead {
		return false
	}
	e.ahead = 0
	return true
}

var evaluators browser.State[*browser.Page, evaluator]

// run calls the function and says, besides, where the document then is.
const run = `(call) => {
	const result = (%s)(call), at = () => location.href.length > 4096 ? '' : location.href;
	return typeof result === 'string' ? [at(), result] : (async () => { const text = await result; return [at(), text] })();
}`

// Evaluate calls a function in the page's own world, with one argument: it
// answers a text, or the promise of one. ran is false where the driver is to be
// asked, and nothing was done; so it is told of a function that did not run
// only. What it acts on must not be done twice.
func Evaluate(ctx context.Context, p *browser.Page, function string, arg any) (text string, ran bool, err error) {
	s := p.Direct()
	if s == nil || readers.Of(p).elsewhere(ctx) {
		return "", false, nil
	}
	e := evaluators.Of(p)
	if e.far() {
		catchUp(p)
	}
	// The page is not asked again, nor does it stop, where nobody waits any more.
	ctx = context.WithoutCancel(ctx)
	for range 2 {
		object := e.in(ctx, s, function)
		if object == "" {
			return "", false, nil
		}
		ahead.Of(p).Store(true)
		var reply map[string]any
		err = s.Call(ctx, "Runtime.callFunctionOn", map[string]any{
			"objectId": object, "functionDeclaration": "function(call) { return this.run(call) }",
			"arguments":     []any{map[string]any{"value": arg}},
			"returnByValue": true, "awaitPromise": true, "userGesture": true,
		}, &reply)
		if browser.NotRun(err) {
			e.forget(object)
			continue
		}
		if err != nil {
			return "", true, err
		}
		text, err = settled(p, reply)
		return text, true, err
	}
	return "", false, nil
}

// fewPages: where a session has no more room than that, a page that was one too
// many is to be heard of.
const fewPages = 10

// settled is the text of a reply. Where the document is not where the driver
// says, the driver is to catch up: the guard goes by its word.
func settled(p *browser.Page, reply map[string]any) (string, error) {
	v, err := browser.RemoteValue(reply)
	list, _ := v.([]any)
	var at, text string
	if len(list) == 2 {
		at, _ = list[0].(string)
		text, _ = list[1].(string)
	}
	if at != p.PW.URL() || p.Session.Room() < fewPages {
		catchUp(p)
	}
	return text, err
}

// in is the id of the function in the page's document, "" if it can't be had.
func (e *evaluator) in(ctx context.Context, s *cdp.Session, function string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.object != "" {
		return e.object
	}
	var reply struct {
		Result struct{ ObjectID string }
	}
	_ = s.Call(ctx, "Runtime.evaluate", map[string]any{"expression": fmt.Sprintf("({run: "+run+"})", function)}, &reply)
	e.object = reply.Result.ObjectID
	return e.object
}

// forget drops one that is gone with its document.
func (e *evaluator) forget(object string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.object == object {
		e.object = ""
	}
}
