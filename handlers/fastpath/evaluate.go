package fastpath

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

// evaluator is an evaluating function in a page's document.
type evaluator struct {
	mu     sync.Mutex
	object string // its DevTools id, "" if none yet
}

var evaluators browser.State[*browser.Page, evaluator]

// run calls the function and adds the URL of the document afterwards.
const run = `(call) => {
	const result = (%s)(call), at = () => location.href.length > 4096 ? '' : location.href;
	return typeof result === 'string' ? [at(), result] : (async () => { const text = await result; return [at(), text] })();
}`

// Evaluate calls a function in the page's own world, with one argument. The function
// answers a text, or the promise of one. ran is false if the driver must be asked and
// the function did not run.
func Evaluate(ctx context.Context, p *browser.Page, function string, arg any) (text string, ran bool, err error) {
	s := p.Direct()
	if s == nil || readers.Of(p).elsewhere(ctx) {
		return "", false, nil
	}
	e := evaluators.Of(p)
	if isFarAhead(p) {
		catchUp(p)
	}
	// The question must not be repeated or cancelled, even if nobody waits for its
	// answer.
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

// settled is the text of a reply. If the document's URL differs from the driver's, it
// waits for the driver: the guard uses the driver's URL.
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

// in is the id of the function in the page's document, "" if it can't be installed.
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

// forget drops a function that went with its document.
func (e *evaluator) forget(object string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.object == object {
		e.object = ""
	}
}

// InjectedScript is the script that the driver evaluates in each document, with its
// selector engines. "" if it can't be read.
func InjectedScript(driver string) string {
	text, _ := os.ReadFile(filepath.Join(driver, "package", "lib", "coreBundle.js"))
	_, rest, _ := strings.Cut(string(text), "// packages/playwright-core/src/generated/injectedScriptSource.ts\n")
	literal := reSource.FindStringSubmatch(rest)
	if literal == nil {
		return ""
	}
	source, _ := strconv.Unquote(`"` + doubleQuoted.Replace(literal[1]) + `"`)
	return source
}

// reSource is the text that a generated module contains. Several modules have one, so the
// bundle numbers them.
var reSource = regexp.MustCompile(`\bsource\d* = '((?:[^'\\\n]|\\.)*)'`)

// doubleQuoted makes what is in single quotes in JavaScript stand in Go's double ones.
var doubleQuoted = strings.NewReplacer(`\\`, `\\`, `\'`, `'`, `\"`, `\"`, `"`, `\"`)
