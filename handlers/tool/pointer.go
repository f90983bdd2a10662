package tool

import (
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
)

// A page may lock the pointer, as games do: then it gets movements of the mouse, and the mouse points at
// nothing. Chromium does not take DevTools' mouse then: the act hangs, and so does the page. A person
// presses Escape first, which the browser itself takes; a tool that needs the mouse frees it likewise.

// pointerLock asks whether the pointer is locked: here, or perhaps in a frame, where the focus is.
var pointerLock = fastpath.Define("pointer-lock", `() => document.pointerLockElement ? 'here' :
	/^I?FRAME$/.test(document.activeElement?.nodeName) ? 'frame' : ''`)

const (
	isLocked   = "() => !!document.pointerLockElement"
	freeScript = `() => new Promise((done) => {
		document.addEventListener('pointerlockchange', done, { once: true });
		document.exitPointerLock();
		setTimeout(done, 1000);
	}).then(() => true)`
)

// lockedIn is the frame whose document has locked the pointer, nil for none.
func (c *Call) lockedIn() playwright.Frame {
	var where string
	switch known := c.DirectOnPage(pointerLock, "", nil, &where); {
	case known && where == "":
		return nil
	case known && where == "here":
		return c.PW.MainFrame()
	}
	for _, f := range Documents(c.Page) {
		if yes, err := f.Evaluate(isLocked); err == nil && yes == true {
			return f
		}
	}
	return nil
}

// freed has the pages whose pointer a tool has freed, until somebody is told.
var freed browser.State[*browser.Page, atomic.Bool]

// freePointer frees the pointer for an act with the mouse.
func (c *Call) freePointer() {
	if f := c.lockedIn(); f != nil {
		if _, err := f.Evaluate(freeScript); err == nil {
			freed.Of(c.Page).Store(true)
		}
	}
}

// TakeFreed reports, once, that a tool has freed the pointer of a page.
func TakeFreed(p *browser.Page) bool { return freed.Of(p).Swap(false) }

// PointerLocked reports whether the page has locked the pointer.
func (c *Call) PointerLocked() bool { return c.lockedIn() != nil }
