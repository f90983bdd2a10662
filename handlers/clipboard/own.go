package clipboard

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/launch"
	"pwpipe/provider"
)

// The clipboard of a browser is one for all its contexts, and pages read it by
// a key. So the sessions of the service have one of their own each, and reach
// the browser's not at all: what they copy is told by the page, what they paste
// is put there, and no page of theirs may read.

// ownClipboard is what a session's contexts have copied. nil is none: a stream
// has the browser to itself, see [clipboards].
type ownClipboard struct {
	mu   sync.Mutex
	text map[playwright.BrowserContext]string
}

var copied browser.State[*browser.Session, ownClipboard]

// ClipboardOf is a session's own, nil where it has the browser to itself.
func ClipboardOf(s *browser.Session) *ownClipboard {
	if !s.Options.Shared {
		return nil
	}
	return copied.Of(s)
}

// Hooks keeps what sessions copy apart.
var Hooks = browser.Hooks{
	Options: func(s *browser.Session, o *playwright.BrowserNewContextOptions) error {
		if ClipboardOf(s) != nil && slices.Contains(o.Permissions, "clipboard-read") {
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
		if own == nil {
			return
		}
		p.OnAttach(func(cdp playwright.CDPSession) { own.hear(p, cdp) })
		p.PW.OnFrameNavigated(func(playwright.Frame) { go own.bind(p) })
	},
}

func (b *ownClipboard) set(c playwright.BrowserContext, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.text == nil {
		b.text = map[playwright.BrowserContext]string{}
	}
	b.text[c] = text
}

func (b *ownClipboard) get(c playwright.BrowserContext) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text[c]
}

func (b *ownClipboard) forget(c playwright.BrowserContext) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.text, c)
}

//go:embed copied.js
var copiedScript string

// copiedBinding is the function by which a page tells what it copied. It takes a
// text and nothing else.
const copiedBinding = "__pwpipeCopied"

// equip has the pages of a context tell what they copy.
func (b *ownClipboard) equip(c playwright.BrowserContext) error {
	c.OnClose(b.forget)
	return c.AddInitScript(playwright.Script{Content: &copiedScript})
}

// hear listens to a page, once it has its DevTools session.
func (b *ownClipboard) hear(p *browser.Page, cdp playwright.CDPSession) {
	cdp.On("Runtime.bindingCalled", func(event map[string]any) {
		text, ok := event["payload"].(string)
		if event["name"] == copiedBinding && ok {
			b.set(p.Context, text)
		}
	})
	b.bind(p)
}

// bind gives the page's documents the function: those that are there, so that
// it is called whenever one comes. (DevTools would see to the later ones, but
// only together with news of every script's doings.)
func (b *ownClipboard) bind(p *browser.Page) {
	_, _ = p.DevTools("Runtime.addBinding", map[string]any{"name": copiedBinding})
}

// Pressed presses a key on a page: press does, unless it would paste from the
// browser's clipboard. Then the session's own text is pasted, once focus has put
// the focus in its place.
func Pressed(p *browser.Page, key string, focus, press func() error) error {
	own := ClipboardOf(p.Session)
	if own == nil || !pastes(key, keysHeld(p)) {
		return press()
	}
	if err := focus(); err != nil {
		return err
	}
	return own.paste(p)
}

// holding are the keys that are held down on a page, of those that change others.
var holding browser.State[*browser.Page, heldKeys]

type heldKeys struct {
	mu   sync.Mutex
	down map[string]bool
}

// HoldKey notes that a key is held, or let go.
func HoldKey(p *browser.Page, key string, down bool) {
	if name := modifierOf(key); name != "" {
		h := holding.Of(p)
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.down == nil {
			h.down = map[string]bool{}
		}
		h.down[name] = down
	}
}

func keysHeld(p *browser.Page) map[string]bool {
	h := holding.Of(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.down)
}

// MayUse refuses the middle button where the selection is everybody's.
func MayUse(p *browser.Page, button string) error {
	if ClipboardOf(p.Session) != nil && button == "middle" {
		return errMiddleButton()
	}
	return nil
}

// NoFocus is for keys that go to what has the focus already.
func NoFocus() error { return nil }

// tellTime is how long pages have to tell what they have just copied.
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
	return b.get(p.Context)
}

// pasteEvent has the focused element paste a text. It is true where the caller has
// to insert the text.
const pasteEvent = `(text) => {
	let el = document.activeElement ?? document.body;
	while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
	const data = new DataTransfer();
	data.setData('text/plain', text);
	return el.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true, composed: true })) && (` + takesText + `)(el);
}`

// paste pastes the session's text where the focus is.
func (b *ownClipboard) paste(p *browser.Page) error {
	text := b.read(p)
	frame := p.PW.MainFrame()
	for {
		h, err := frame.EvaluateHandle("() => document.activeElement")
		if err != nil {
			return err
		}
		el := h.AsElement()
		if el == nil {
			break
		}
		inner, _ := el.ContentFrame()
		_ = h.Dispose()
		if inner == nil {
			break
		}
		frame = inner
	}
	insert, err := frame.Evaluate(pasteEvent, text)
	if err != nil || insert != true {
		return err
	}
	return p.PW.Keyboard().InsertText(text)
}

// pastes reports whether a chord pastes, with the keys that are held besides.
func pastes(chord string, held map[string]bool) bool {
	keys := strings.Split(chord, "+")
	last := keys[len(keys)-1]
	holds := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return slices.ContainsFunc(keys[:len(keys)-1], func(k string) bool { return modifierOf(k) == name }) || held[name]
		})
	}
	switch last {
	case "v", "V", "KeyV":
		return holds("Control", "Meta")
	case "Insert":
		return holds("Shift")
	}
	return last == "Paste"
}

// modifierOf is the modifier that a key is, left or right: "" for none.
func modifierOf(key string) string {
	for _, name := range []string{"Control", "Meta", "Shift"} {
		if strings.HasPrefix(key, name) {
			return name
		}
	}
	return ""
}

func errMiddleButton() error {
	return provider.Errorf(provider.KindBlocked, "blocked: the middle button pastes what others of this browser's users have selected").
		WithHint("Control+click opens a link in a page of its own")
}

// ErrClipboardRead is the error of a request for the browser's own clipboard.
func ErrClipboardRead() error {
	return provider.Errorf(provider.KindBlocked, "blocked: clipboard-read: the browser's clipboard is everybody's").
		WithHint("clip reads the session's own, Control+V pastes it")
}
