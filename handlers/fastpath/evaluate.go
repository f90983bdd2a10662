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
	if far(p) {
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

// sources are the injected scripts of the drivers in use, by their folder.
var sources sync.Map

// injectedScript is the script that the driver evaluates in each document, with its
// selector engines. "" if it can't be read.
func injectedScript(driver string) string {
	if text, ok := sources.Load(driver); ok {
		return text.(string)
	}
	text, _ := os.ReadFile(filepath.Join(driver, "package", "lib", "coreBundle.js"))
	_, rest, _ := strings.Cut(string(text), "// packages/playwright-core/src/generated/injectedScriptSource.ts\n")
	source := literalIn(rest)
	sources.Store(driver, source)
	return source
}

// reSource begins the text that a generated module contains. Several modules have one,
// so the bundle numbers them.
var reSource = regexp.MustCompile(`\bsource\d* = '`)

// literalIn is the text in the variable source of a generated module, "" if there is
// none.
func literalIn(module string) string {
	at := reSource.FindStringIndex(module)
	if at == nil {
		return ""
	}
	rest := module[at[1]:]
	var b strings.Builder
	for i := 0; i < len(rest) && rest[i] != '\n'; i++ {
		switch c := rest[i]; c {
		case '\'':
			return b.String()
		case '\\':
			i++
			n := escape(&b, rest[i:])
			if n == 0 {
				return ""
			}
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	return ""
}

// escape writes the character of a JavaScript escape, and answers its length; 0 for an
// unknown one.
func escape(b *strings.Builder, s string) int {
	if s == "" {
		return 0
	}
	if at := strings.IndexByte("ntrbfv0", s[0]); at >= 0 {
		b.WriteByte("\n\t\r\b\f\v\x00"[at])
		return 1
	}
	digits := map[byte]int{'x': 2, 'u': 4}[s[0]]
	if digits == 0 {
		b.WriteByte(s[0])
		return 1
	}
	if len(s) <= digits {
		return 0
	}
	char, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	if err != nil {
		return 0
	}
	b.WriteRune(rune(char))
	return 1 + digits
}
