package handlers

import (
	"encoding/json"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func clipboardTools() []*provider.Tool {
	const read, write = "Read the text in the browser's clipboard", "Put a text into the browser's clipboard"
	return []*provider.Tool{
		onPage(Reach.Waits("clip", "Read clipboard", read), clipboardText),
		onPageDo(Reach.Acts("copy", "Write clipboard", write), clipboardCopy),
		onPage(MCP.Waits("browser_clipboard_read", "Read clipboard", read), clipboardRead),
		onPage(MCP.Acts("browser_clipboard_write", "Write clipboard", write), clipboardWrite),
	}
}

// clipboardText is navigator.clipboard.readText, with a user gesture.
func clipboardText(c *call, _ noParams) (string, error) {
	if own := clipboardOf(c.session); own != nil {
		return own.read(c.page), nil
	}
	return clips.Of(c.session.browser).read(c)
}

type textParam struct {
	Text string `json:"text" doc:"text"`
}

// clipboardCopy is navigator.clipboard.writeText, with a user gesture.
func clipboardCopy(c *call, in textParam) error {
	if own := clipboardOf(c.session); own != nil {
		own.set(c.context, in.Text)
		return nil
	}
	return clips.Of(c.session.browser).write(c, in.Text)
}

type clipboardHeld struct {
	Text string `json:"text" doc:"what the clipboard holds"`
}

func clipboardRead(c *call, _ noParams) (clipboardHeld, error) {
	s, err := clipboardText(c, noParams{})
	return clipboardHeld{s}, err
}

type clipboardWritten struct {
	Success    bool `json:"success" doc:"true"`
	TextLength int  `json:"textLength" doc:"length of the text in UTF-16 units, as JavaScript counts"`
}

func clipboardWrite(c *call, in textParam) (clipboardWritten, error) {
	err := clipboardCopy(c, in)
	return clipboardWritten{err == nil, len(utf16.Encode([]rune(in.Text)))}, err
}

// clipboards give each context a clipboard of its own. The browser has one for
// all of them: when another context's turn comes, its text is put in place.
// What a page copied by itself belongs to the context that acted last.
var clips State[*Browser, clipboards]

type clipboards struct {
	mu    sync.Mutex // held while the browser's clipboard is in use
	owner playwright.BrowserContext
	known string // what the browser's clipboard held when it was last used
	saved map[playwright.BrowserContext]string
}

func (b *clipboards) read(c *call) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, err := b.sync(c)
	if err != nil || b.owner == c.context {
		return now, err
	}
	mine := b.saved[c.context]
	if err := c.writeClipboard(mine); err != nil {
		return "", err
	}
	b.owner, b.known = c.context, mine
	return mine, nil
}

func (b *clipboards) write(c *call, text string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, err := b.sync(c); err != nil {
		return err
	}
	if err := c.writeClipboard(text); err != nil {
		return err
	}
	b.owner, b.known = c.context, text
	b.keep(c.context, text)
	return nil
}

// sync reads the browser's clipboard and notes whose text it is.
func (b *clipboards) sync(c *call) (string, error) {
	if err := c.openClipboard(); err != nil {
		return "", err
	}
	now, err := c.readClipboard()
	if err != nil {
		return "", err
	}
	actor := c.session.browser.lastActor()
	if now != b.known || b.owner == nil {
		if actor == nil {
			actor = c.context
		}
		b.owner, b.known = actor, now
		b.keep(actor, now)
	}
	return now, nil
}

// keep remembers a context's text for as long as the context lives.
func (b *clipboards) keep(c playwright.BrowserContext, text string) {
	if b.saved == nil {
		b.saved = map[playwright.BrowserContext]string{}
	}
	if _, ok := b.saved[c]; !ok {
		c.OnClose(func(playwright.BrowserContext) {
			go func() {
				b.mu.Lock()
				defer b.mu.Unlock()
				delete(b.saved, c)
			}()
		})
	}
	b.saved[c] = text
}

// openClipboard makes ready what the clipboard asks for: a page that is shown
// and focused, and a context with the permission.
func (c *call) openClipboard() error {
	if c.pw.URL() == "about:blank" || c.pw.URL() == "" {
		return provider.Errorf(provider.KindFailed, "about:blank has no clipboard").WithHint("go to a page first: nav")
	}
	if !c.engine.chromium {
		return provider.Errorf(provider.KindFailed, "the clipboard can be used in Chromium only")
	}
	if err := c.pw.BringToFront(); err != nil {
		return c.fail(err, "")
	}
	return c.fail(c.context.GrantPermissions([]string{"clipboard-read", "clipboard-write"}), "")
}

func (c *call) readClipboard() (string, error) {
	return c.withGesture("navigator.clipboard.readText()")
}

func (c *call) writeClipboard(text string) error {
	quoted, err := json.Marshal(text)
	if err == nil {
		_, err = c.withGesture("navigator.clipboard.writeText(" + string(quoted) + ")")
	}
	return err
}

// withGesture evaluates an expression as if the user had just clicked: CDP's
// Runtime.evaluate.
func (c *call) withGesture(expression string) (string, error) {
	s, err := c.devtoolsSession()
	if err != nil {
		return "", c.fail(err, "")
	}
	v, err := s.Send("Runtime.evaluate", map[string]any{"awaitPromise": true, "userGesture": true, "returnByValue": true,
		"expression": "(async () => { if (!navigator.clipboard) throw new Error('no clipboard'); return String(await " + expression + " ?? ''); })()"})
	if err != nil {
		return "", c.fail(err, "")
	}
	answer, _ := v.(map[string]any)
	if thrown, ok := answer["exceptionDetails"].(map[string]any); ok {
		return "", clipboardError(thrown, c.where())
	}
	result, _ := answer["result"].(map[string]any)
	text, _ := result["value"].(string)
	return text, nil
}

// clipboardError words what the page's clipboard threw.
func clipboardError(thrown map[string]any, at where) error {
	exception, _ := thrown["exception"].(map[string]any)
	msg, _ := exception["description"].(string)
	switch {
	case strings.Contains(msg, "no clipboard"):
		return provider.Errorf(provider.KindFailed, "%s has no clipboard", at).WithHint("browsers give one to https pages and to this machine's own only")
	case strings.Contains(msg, "permissions policy"):
		return provider.Errorf(provider.KindFailed, "%s forbids the clipboard (Permissions-Policy)", at)
	}
	return provider.Errorf(provider.KindFailed, "%s (on %s)", firstLine(msg), at)
}
