package clipboard

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/launch"
	"pwpipe/internal/browser/bundle"
	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// A browser has one clipboard for all its contexts, and pages can paste it with a key.
// So each session of the service has its own, and never reaches the browser's: pages
// report what they copy, pwpipe inserts what they paste, and pages may not read it. A session
// with log-ins has one too, which gets no value of a log-in: a key would paste it anywhere.

// ownClipboard is what a session's contexts have copied. It is nil for a stream, which
// has the browser to itself, and no log-ins: see [clipboards].
type ownClipboard struct {
	texts sync.Map            // by playwright.BrowserContext
	keeps func(string) string // nil for all of a text
}

// ofPerson reports whether the clipboard is a person's.
func ofPerson(s *browser.Session) bool {
	return s.Browser.Config.Source.OfPerson()
}

// Keeps says what a clipboard keeps of a text. The feature that has secrets of pages gives it.
// Each session of a browser with one has a clipboard of its own.
var Keeps browser.Setting[func(text string) string]

var copied = browser.State[*browser.Session, ownClipboard]{New: func(s *browser.Session) *ownClipboard {
	return &ownClipboard{keeps: Keeps.Of(s.Browser.Config)}
}}

// ClipboardOf is a session's own clipboard, nil if the session has the browser to
// itself, and no log-ins.
func ClipboardOf(s *browser.Session) *ownClipboard {
	if !s.Options.Shared && !ofPerson(s) && Keeps.Of(s.Browser.Config) == nil {
		return nil
	}
	return copied.Of(s)
}

// Hooks separates the clipboards of sessions.
var Hooks = browser.Hooks{
	Press: pressed, Hold: holdKey, Button: MayPress,
	Grants: func(s *browser.Session, names []string) error {
		if ClipboardOf(s) != nil && slices.Contains(names, "clipboard-read") {
			return ErrClipboardRead()
		}
		return nil
	},
	Context: func(s *browser.Session, o *browser.Opened) error {
		if own := ClipboardOf(s); own != nil && o.Own {
			return own.equip(o.BrowserContext)
		}
		return nil
	},
	Page: func(p *browser.Page) {
		own := ClipboardOf(p.Session)
		if own == nil || ofPerson(p.Session) { // a person's pages report nothing
			return
		}
		p.OnDirect(func(s *cdp.Session) { own.hearDirect(p, s) })
		p.OnAttach(func(s playwright.CDPSession) { own.hear(p, s) })
		p.PW.OnFrameNavigated(func(playwright.Frame) { go own.bind(p) })
	},
}

// set keeps a text, or what [Keeps] leaves of it.
func (b *ownClipboard) set(c playwright.BrowserContext, text string) {
	if b.keeps != nil {
		text = b.keeps(text)
	}
	b.texts.Store(c, text)
}

//go:embed copied.js
var copiedScript string

//go:embed told.js
var toldScript string

// copiedBinding is the function by which a page reports copied text. It takes a text and
// nothing else. It is in a world of its own: a page that could call it in a loop would keep the
// browser from all other pages.
const (
	copiedBinding = "__pwpipeCopied"
	copiedWorld   = "pwpipe clipboard"
)

// equip makes the pages of a context report what they copy.
func (b *ownClipboard) equip(c playwright.BrowserContext) error {
	c.OnClose(func(c playwright.BrowserContext) { b.texts.Delete(c) })
	return c.AddInitScript(playwright.Script{Content: &copiedScript})
}

// hear listens to a page on the driver's session, once that is there. Chromium calls the session that added
// the function: this one where the page has no session of ours.
func (b *ownClipboard) hear(p *browser.Page, s playwright.CDPSession) {
	s.On("Runtime.bindingCalled", func(event map[string]any) {
		text, ok := event["payload"].(string)
		if event["name"] == copiedBinding && ok {
			b.set(p.Context, text)
		}
	})
	b.bind(p)
}

// hearDirect listens to a page on a session of ours.
func (b *ownClipboard) hearDirect(p *browser.Page, s *cdp.Session) {
	s.On("Runtime.bindingCalled", func(params json.RawMessage) {
		var e struct{ Name, Payload string }
		if json.Unmarshal(params, &e) == nil && e.Name == copiedBinding {
			b.set(p.Context, e.Payload)
		}
	})
}

// telling are the documents of a page that have told.js.
var telling browser.State[*browser.Page, documents]

type documents struct {
	waits   atomic.Bool // somebody looks for new ones soon
	looking sync.Mutex
	by      *cdp.Session   // the session that made their worlds, nil for the driver's
	loaders map[string]any // by frames
}

// bind adds told.js and the function to the page's current documents, so it is called for each new
// one. (DevTools could add both to later documents itself, but only with the events of every
// script, and of every download, with its address.)
func (b *ownClipboard) bind(p *browser.Page) {
	d := telling.Of(p)
	if d.waits.Swap(true) {
		return
	}
	d.looking.Lock()
	defer d.looking.Unlock()
	d.waits.Store(false)
	by := p.Direct()
	reply, err := p.DevToolsBy(by, "Page.getFrameTree", nil)
	if err != nil {
		return
	}
	had := d.loaders
	if by != d.by { // the worlds of the other session have ended with it
		had, d.by = nil, by
	}
	d.loaders = map[string]any{}
	d.add(p, had, reply["frameTree"])
	_, _ = p.DevToolsBy(by, "Runtime.addBinding",
		map[string]any{"name": copiedBinding, "executionContextName": copiedWorld})
}

// add adds told.js to the documents of frames that had others.
func (d *documents) add(p *browser.Page, had map[string]any, frames any) {
	tree, _ := frames.(map[string]any)
	frame, _ := tree["frame"].(map[string]any)
	id, _ := frame["id"].(string)
	loader := frame["loaderId"]
	if had[id] != loader {
		if _, err := p.IsolatedIn(d.by, id, copiedWorld, toldScript); err != nil {
			loader = nil // it has gone, and the next one is reported
		}
	}
	d.loaders[id] = loader
	below, _ := tree["childFrames"].([]any)
	for _, child := range below {
		d.add(p, had, child)
	}
}

// pressed presses a key on a page with press. If the key would paste from the browser's
// clipboard, it pastes the session's own text instead. In the browser that a person uses, no
// key copies or cuts either, and the session's own clipboard gets the text.
func pressed(p *browser.Page, key string, press func() error) error {
	own := ClipboardOf(p.Session)
	action := actionOf(key, holding.Of(p))
	switch {
	case own == nil || action == "" || action != Pastes && !ofPerson(p.Session):
		return press()
	case action != Pastes:
		if err := press(); err != nil {
			return err
		}
		return own.copy(p, action)
	}
	return own.paste(p)
}

// holding are the modifier keys of a page, by name: whether they are held down.
var holding browser.State[*browser.Page, sync.Map]

// holdKey records that a key is held, or released.
func holdKey(p *browser.Page, key string, down bool) {
	if name := modifierOf(key); name != "" {
		holding.Of(p).Store(name, down)
	}
}

// tellTime is how long pages have to report what they have just copied.
const tellTime = 500 * time.Millisecond

// read is what a page's context has copied last.
func (b *ownClipboard) read(p *browser.Page) string {
	var wait sync.WaitGroup
	for _, other := range p.Session.OpenPages() {
		if other.Context == p.Context {
			wait.Go(func() {
				launch.Within(tellTime, func() error {
					_, err := other.DevTools("Runtime.evaluate", map[string]any{"expression": "new Promise((r) => setTimeout(r))", "awaitPromise": true})
					return err
				})
			})
		}
	}
	wait.Wait()
	text, _ := b.texts.Load(p.Context)
	copied, _ := text.(string)
	return copied
}

// pasteEvent makes the focused element of a document paste a text. In one go, so that the text gets
// into no other document: a frame may take the focus.
var pasteEvent = `(text) => {
	let el = document.activeElement ?? document.body;
	while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
	const data = new DataTransfer();
	data.setData('text/plain', text);
	const pastes = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true, composed: true });
	return el.dispatchEvent(pastes) && (` + strings.TrimSpace(bundle.InsertText) + `)(el, text);
}`

// paste pastes the session's text at the focus.
func (b *ownClipboard) paste(p *browser.Page) error {
	text := b.read(p)
	frame, err := focused(p)
	if err != nil {
		return err
	}
	_, err = frame.Evaluate(pasteEvent, text)
	return err
}

// copyEvent makes the focused element copy or cut. It returns the text, null for none.
const copyEvent = `(kind) => {
	let el = document.activeElement ?? document.body;
	while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
	const data = new DataTransfer();
	const event = new ClipboardEvent(kind, { clipboardData: data, bubbles: true, cancelable: true, composed: true });
	if (!el.dispatchEvent(event)) return data.getData('text/plain') || null;
	const field = /^(input|textarea)$/.test(el.localName);
	if (field && (el.type === 'password' || el.selectionStart === null)) return null;
	let text = field ? '' : String(getSelection() ?? '');
	if (field) for (let i = el.selectionStart, all = el.value; i < el.selectionEnd; i++) text += all[i];
	if (text && kind === 'cut') document.execCommand('delete');
	return text || null;
}`

// copy has the focused element copy or cut into the session's clipboard.
func (b *ownClipboard) copy(p *browser.Page, action Action) error {
	frame, err := focused(p)
	if err != nil {
		return err
	}
	text, err := frame.Evaluate(copyEvent, string(action))
	if copied, ok := text.(string); ok && err == nil {
		b.set(p.Context, copied)
	}
	return err
}

// focused is the frame that has the focus.
func focused(p *browser.Page) (playwright.Frame, error) {
	for frame := p.PW.MainFrame(); ; {
		h, err := frame.EvaluateHandle("() => document.activeElement")
		if err != nil {
			return nil, err
		}
		el := h.AsElement()
		if el == nil {
			return frame, nil
		}
		inner, _ := el.ContentFrame()
		_ = h.Dispose()
		if inner == nil {
			return frame, nil
		}
		frame = inner
	}
}

// Action is what a key does with the clipboard: the name of the page's event, "" for nothing.
type Action string

// What keys do.
const (
	Pastes Action = "paste"
	Copies Action = "copy"
	Cuts   Action = "cut"
)

// actionOf is what a chord does, together with the held keys.
func actionOf(chord string, held *sync.Map) Action {
	keys := strings.Split(chord, "+")
	last := keys[len(keys)-1]
	holds := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			down, _ := held.Load(name)
			return down == true || slices.ContainsFunc(keys[:len(keys)-1], func(k string) bool { return modifierOf(k) == name })
		})
	}
	command, shift := holds("Control", "Meta"), holds("Shift")
	switch {
	case last == "Paste", command && slices.Contains([]string{"v", "V", "KeyV"}, last), shift && last == "Insert":
		return Pastes
	case last == "Copy", command && slices.Contains([]string{"c", "C", "KeyC", "Insert"}, last):
		return Copies
	case last == "Cut", command && slices.Contains([]string{"x", "X", "KeyX"}, last), shift && last == "Delete":
		return Cuts
	}
	return ""
}

// modifierOf is the modifier of a key, left or right: "" for none.
func modifierOf(key string) string {
	for _, name := range []string{"Control", "Meta", "Shift"} {
		if strings.HasPrefix(key, name) {
			return name
		}
	}
	return ""
}

func errMiddleButton() error {
	return provider.Errorf(provider.KindBlocked, "blocked: the middle button would paste what was selected elsewhere in this browser into what can be edited there").
		WithHint("over what can't be edited it works")
}

// ErrClipboardRead is the error for a request of the browser's own clipboard.
func ErrClipboardRead() error {
	return provider.Errorf(provider.KindBlocked, "blocked: clipboard-read: the browser's clipboard is not the session's alone").
		WithHint("clip reads the session's own clipboard; Control+V pastes it")
}
