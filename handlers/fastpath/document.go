package fastpath

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/refs"
	"pwpipe/internal/browser/bundle"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/driver"
)

// document is the fast path's state for a page's document. One goroutine reads at a
// time.
type document struct {
	session *cdp.Session // that gets the events of execution contexts
	object  string       // DevTools id of the object of fastpath.js, "" if none yet
	in      string       // its execution context
	entered int          // number of documents that got it
	readied *cdp.Session // of the driver, which keeps it ready in each document

	mu     sync.Mutex
	last   string   // the object that was asked last
	worlds []string // the drivers' isolated worlds in the main frame: the first is ours
	heard  *cdp.Session
	all    []World // and the worlds of all frames, pages' own ones among them
}

// library answers questions in a document.
//
//go:embed fastpath.js
var library string

// quiet says whether a document stands still: see the file.
//
//go:embed quiet.js
var quiet string

// answering is the library with the question kinds of all packages.
var answering = sync.OnceValue(func() string {
	watch := fmt.Sprintf("(%s)(%v)", quiet, !noQuietClicks)
	return strings.NewReplacer("{KINDS}", "{"+kinds.String()+"}", "{QUIET}", watch, "{INSERT}", bundle.InsertText,
		"{WATCH_PRESS}", bundle.WatchPress).Replace(library)
})

// read asks the library. If the document has gone meanwhile, it asks the next one,
// since a read has no effect. A question that acts as a person would is asked again
// only if it did not run.
func (d *document) read(ctx context.Context, p *browser.Page, questions string, acts bool) []json.RawMessage {
	s := p.Direct()
	if s == nil || s != d.session && !d.listen(ctx, s) {
		return nil
	}
	for range 2 {
		if !d.enter(ctx, p) {
			return nil
		}
		d.asks()
		var reply struct {
			Result    struct{ Value []json.RawMessage }
			Exception json.RawMessage `json:"exceptionDetails"`
		}
		err := s.Call(ctx, "Runtime.callFunctionOn", call{Object: d.object, Function: "function(q) { return this.read(q) }",
			Arguments: []argument{{questions}}, ByValue: true, Silent: !acts, Person: acts}, &reply)
		if err == nil && reply.Exception == nil {
			return reply.Result.Value
		}
		d.object = ""
		if gone := (*cdp.Error)(nil); !errors.As(err, &gone) || acts && !browser.NotRun(err) {
			return nil
		}
	}
	return nil
}

// asks records the object that is asked.
func (d *document) asks() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = d.object
}

// asked is the DevTools id of the object that was asked last.
func (d *document) asked() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}

// call are the parameters of Runtime.callFunctionOn.
type call struct {
	Object    string     `json:"objectId"`
	Function  string     `json:"functionDeclaration"`
	Arguments []argument `json:"arguments"`
	ByValue   bool       `json:"returnByValue"`
	Silent    bool       `json:"silent"` // a debugger that stops at exceptions is not for these
	Person    bool       `json:"userGesture"`
}

type argument struct {
	Value string `json:"value"`
}

// enter installs the library in the page's document. It is in the driver's own world,
// so that a ref means the same element on both paths.
func (d *document) enter(ctx context.Context, p *browser.Page) bool {
	world := d.world()
	if d.object != "" && d.in == world {
		return true
	}
	d.object, d.in = "", world
	if world == "" {
		return false
	}
	source := asksReady
	if !d.ready(p) {
		source = asks()
	}
	if d.make(ctx, source) && d.object == "" {
		if source = brings(p.Engine.DriverDir); source != "" {
			d.readies(p)
			d.make(ctx, "("+source+")()")
		}
	}
	return d.object != ""
}

// make evaluates what makes an object of the library, and reports whether Chromium did so.
func (d *document) make(ctx context.Context, source string) bool {
	var reply struct {
		Result struct{ ObjectID string }
	}
	err := d.session.Call(ctx, "Runtime.evaluate",
		map[string]any{"expression": source, "uniqueContextId": d.in, "silent": true}, &reply)
	d.object = reply.Result.ObjectID
	return err == nil
}

// keptObjects is the number of console lines whose objects Chromium keeps. pwpipe needs
// none.
const keptObjects = 200

// listen makes Chromium report the page's execution contexts. It is never switched off:
// that would also remove, for the driver, the contexts of frames without scripts.
func (d *document) listen(ctx context.Context, s *cdp.Session) bool {
	var tree struct {
		FrameTree struct{ Frame struct{ ID string } }
	}
	if s.Call(ctx, "Page.getFrameTree", nil, &tree) != nil {
		return false
	}
	main := tree.FrameTree.Frame.ID
	d.gone(func(string) bool { return true }) // an event of another session
	s.On("Runtime.executionContextCreated", func(params json.RawMessage) {
		var e struct {
			Context struct {
				ID                     int
				Name, UniqueID, Origin string
				AuxData                struct {
					FrameID   string
					IsDefault bool
				}
			}
		}
		if json.Unmarshal(params, &e) == nil && (e.Context.Name == driver.UtilityWorld || e.Context.AuxData.IsDefault) {
			d.mu.Lock()
			frame, ours := e.Context.AuxData.FrameID, !e.Context.AuxData.IsDefault
			if frame == main && ours {
				d.worlds = append(d.worlds, e.Context.UniqueID)
			}
			d.all = append(d.all, World{ID: e.Context.ID, Unique: e.Context.UniqueID, Main: frame == main,
				frame: frame, ours: ours, origin: e.Context.Origin})
			d.mu.Unlock()
		}
	})
	s.On("Runtime.executionContextDestroyed", func(params json.RawMessage) {
		var e struct {
			ID string `json:"executionContextUniqueId"`
		}
		if json.Unmarshal(params, &e) == nil {
			d.gone(func(id string) bool { return id == e.ID })
		}
	})
	s.On("Runtime.executionContextsCleared", func(json.RawMessage) { d.gone(func(string) bool { return true }) })
	lines := 0
	s.On("Runtime.consoleAPICalled", func(json.RawMessage) {
		if lines++; lines%keptObjects == 0 {
			go func() {
				_ = s.Call(context.WithoutCancel(ctx), "Runtime.releaseObjectGroup", map[string]any{"objectGroup": "console"}, nil)
			}()
		}
	})
	if s.Call(ctx, "Runtime.enable", nil, nil) != nil {
		return false
	}
	d.session = s
	d.mu.Lock()
	d.heard = s
	d.mu.Unlock()
	return true
}

// world is the driver's isolated world, "" if there is none. Clients with a Playwright
// of their own have others, which come later.
func (d *document) world() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.worlds) == 0 {
		return ""
	}
	return d.worlds[0]
}

// gone removes execution contexts.
func (d *document) gone(which func(id string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.worlds = slices.DeleteFunc(d.worlds, which)
	d.all = slices.DeleteFunc(d.all, func(w World) bool { return which(w.Unique) })
}

// The library needs Playwright's injected script, some 300 kB, in each document that is
// read. If the driver has installed its script there, the library uses it; the driver
// likewise uses ours (shareInjectedScript in internal/browser/driver). Otherwise the
// script is sent with the question. From a page's second document on Chromium keeps it
// ready in each document: it is sent once, compiled once, and does nothing until it is
// called.

// asks makes an object of the library if the driver's injected script is there, else
// null.
var asks = sync.OnceValue(func() string {
	return "(() => { const own = globalThis[Symbol.for('pwpipe')]; return own ? (" + answering() + ")(own.make()) : null })()"
})

// asksReady makes an object of the library if it is ready there, else null.
const asksReady = "globalThis[Symbol.for('pwpipe.library')]?.() ?? null"

// brings is a function that always makes an object of the library; "" if the driver's
// script can't be read.
func brings(driver string) string {
	if text, ok := brought.Load(driver); ok {
		return text.(string)
	}
	script := InjectedScript(driver)
	if script != "" {
		script = strings.NewReplacer("ASKS", asks(), "ENGINE", refs.Engine(), "NAMES", refs.NameEngine(), "SCRIPT", script).
			Replace("() => ASKS ?? (() => { const module = {};\nSCRIPT\n(ENGINE);\nglobalThis[Symbol.for('pwpipe')].engines.names = NAMES;\nreturn ASKS })()")
	}
	brought.Store(driver, script)
	return script
}

// brought caches the results of brings, by the driver's folder.
var brought sync.Map

// readies makes Chromium keep the library ready in each future document of the page. It
// uses the driver's session, because isolated worlds belong to a session.
func (d *document) readies(p *browser.Page) {
	s := p.DriversSession()
	if d.entered++; d.entered < 2 || s == nil || s == d.readied {
		return
	}
	d.readied = s
	s.Send("Page.addScriptToEvaluateOnNewDocument", map[string]any{
		"source":    "if (parent === self) globalThis[Symbol.for('pwpipe.library')] = " + brings(p.Engine.DriverDir),
		"worldName": driver.UtilityWorld,
	}, nil)
}

// ready reports whether documents have the library.
func (d *document) ready(p *browser.Page) bool {
	return d.readied != nil && d.readied == p.DriversSession()
}
