// Package clipboard keeps a clipboard for each session, and pastes it.
package clipboard

import (
	"encoding/json"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools read and write the clipboard.
func Tools() []*provider.Tool {
	const read, write = "Read the text in the clipboard", "Put a text into the clipboard"
	return []*provider.Tool{
		tool.OnPage(tool.Reach.Waits("clip", "Read clipboard", read), clipboardText),
		tool.OnPageDo(tool.Reach.Acts("copy", "Write clipboard", write), clipboardCopy),
		tool.Alias(tool.MCP.Second("browser_clipboard_read", "Read clipboard", read), "clip", tool.Answer(held)),
		tool.Alias(tool.MCP.Second("browser_clipboard_write", "Write clipboard", write), "copy", tool.Answer(written)),
	}
}

// clipboardText is navigator.clipboard.readText, with a user gesture.
func clipboardText(c *tool.Call, _ tool.NoParams) (string, error) {
	if own := ClipboardOf(c.Session); own != nil {
		return own.read(c.Page), nil
	}
	return clips.Of(c.Session.Browser).read(c)
}

type textParam struct {
	Text string `json:"text" doc:"text"`
}

// clipboardCopy is navigator.clipboard.writeText, with a user gesture.
func clipboardCopy(c *tool.Call, in textParam) error {
	if own := ClipboardOf(c.Session); own != nil {
		own.set(c.Context, in.Text)
		return nil
	}
	return clips.Of(c.Session.Browser).write(c, in.Text)
}

type clipboardHeld struct {
	Text string `json:"text" doc:"what the clipboard holds"`
}

func held(_ *tool.Call, _ tool.NoParams, text string) (clipboardHeld, error) {
	return clipboardHeld{text}, nil
}

type clipboardWritten struct {
	Success    bool `json:"success" doc:"true"`
	TextLength int  `json:"textLength" doc:"length of the text in UTF-16 units, as JavaScript counts"`
}

func written(_ *tool.Call, in textParam, _ provider.None) (clipboardWritten, error) {
	return clipboardWritten{true, len(utf16.Encode([]rune(in.Text)))}, nil
}

// clipboards give each context a clipboard of its own. The browser has one for all
// contexts. When another context's turn comes, pwpipe writes that context's text to it.
// What a page copies by itself belongs to the context that acted last.
var clips browser.State[*browser.Browser, clipboards]

type clipboards struct {
	using sync.Mutex // held while the browser's clipboard is in use
	owner playwright.BrowserContext
	known string // the contents of the browser's clipboard after its last use
	saved map[playwright.BrowserContext]string
}

func (b *clipboards) read(c *tool.Call) (string, error) {
	b.using.Lock()
	defer b.using.Unlock()
	now, err := b.sync(c)
	if err != nil || b.owner == c.Context {
		return now, err
	}
	mine := b.saved[c.Context]
	if err := writeClipboard(c, mine); err != nil {
		return "", err
	}
	b.owner, b.known = c.Context, mine
	return mine, nil
}

func (b *clipboards) write(c *tool.Call, text string) error {
	b.using.Lock()
	defer b.using.Unlock()
	if _, err := b.sync(c); err != nil {
		return err
	}
	if err := writeClipboard(c, text); err != nil {
		return err
	}
	b.owner, b.known = c.Context, text
	b.keep(c.Context, text)
	return nil
}

// sync reads the browser's clipboard and records the owner of its text.
func (b *clipboards) sync(c *tool.Call) (string, error) {
	if err := openClipboard(c); err != nil {
		return "", err
	}
	now, err := withGesture(c, "navigator.clipboard.readText()")
	if err != nil {
		return "", err
	}
	actor := c.Session.Browser.LastActor()
	if now != b.known || b.owner == nil {
		if actor == nil {
			actor = c.Context
		}
		b.owner, b.known = actor, now
		b.keep(actor, now)
	}
	return now, nil
}

// keep stores a context's text for the context's lifetime.
func (b *clipboards) keep(c playwright.BrowserContext, text string) {
	if b.saved == nil {
		b.saved = map[playwright.BrowserContext]string{}
	}
	if _, ok := b.saved[c]; !ok {
		c.OnClose(func(playwright.BrowserContext) {
			go func() {
				b.using.Lock()
				defer b.using.Unlock()
				delete(b.saved, c)
			}()
		})
	}
	b.saved[c] = text
}

// openClipboard prepares what the clipboard needs: a page that is shown and focused,
// and a context with the permission.
func openClipboard(c *tool.Call) error {
	if c.PW.URL() == "about:blank" || c.PW.URL() == "" {
		return provider.Errorf(provider.KindFailed, "about:blank has no clipboard").WithHint("go to a page first: nav")
	}
	if !c.Engine.Chromium {
		return provider.Errorf(provider.KindFailed, "the clipboard tools work in Chromium only")
	}
	if err := c.PW.BringToFront(); err != nil {
		return c.Fail(err, "")
	}
	return c.Fail(c.Context.GrantPermissions([]string{"clipboard-read", "clipboard-write"}), "")
}

func writeClipboard(c *tool.Call, text string) error {
	quoted, err := json.Marshal(text)
	if err == nil {
		_, err = withGesture(c, "navigator.clipboard.writeText("+string(quoted)+")")
	}
	return err
}

// withGesture evaluates an expression as if the user had just clicked: CDP's
// Runtime.evaluate.
func withGesture(c *tool.Call, expression string) (string, error) {
	s, err := c.DevToolsSession()
	if err != nil {
		return "", c.Fail(err, "")
	}
	v, err := s.Send("Runtime.evaluate", map[string]any{"awaitPromise": true, "userGesture": true, "returnByValue": true,
		"expression": "(async () => { if (!navigator.clipboard) throw new Error('no clipboard'); return String(await " + expression + " ?? ''); })()"})
	if err != nil {
		return "", c.Fail(err, "")
	}
	answer, _ := v.(map[string]any)
	if thrown, ok := answer["exceptionDetails"].(map[string]any); ok {
		return "", clipboardError(thrown, c.Where())
	}
	result, _ := answer["result"].(map[string]any)
	text, _ := result["value"].(string)
	return text, nil
}

// clipboardError makes the error for an exception of the page's clipboard.
func clipboardError(thrown map[string]any, at browser.Where) error {
	exception, _ := thrown["exception"].(map[string]any)
	msg, _ := exception["description"].(string)
	switch {
	case strings.Contains(msg, "no clipboard"):
		return provider.Errorf(provider.KindFailed, "%s has no clipboard", at).
			WithHint("browsers give a clipboard to https pages and to pages of this machine only")
	case strings.Contains(msg, "permissions policy"):
		return provider.Errorf(provider.KindFailed, "%s forbids the clipboard (Permissions-Policy)", at)
	}
	return provider.Errorf(provider.KindFailed, "%s (on %s)", pwerrors.FirstLine(msg), at)
}
