package tool

import (
	"context"
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
)

// A page may lock the pointer, as games do: then it gets all that the mouse does, and the mouse points at
// nothing. A person presses Escape first, which the browser itself takes; a tool that needs the mouse frees
// it likewise. That the browser stays usable then is due to [workarounds.Hooks].

// pointerLock asks whether the pointer is locked: here, or in a frame; perhaps in one of another process, if that
// has the focus.
var pointerLock = fastpath.Define("pointer-lock", whereLocked)

const (
	whereLocked = `() => {
		const any = (w) => [...Array(w.length).keys()].some((i) => locks(w[i]));
		const locks = (w) => { try { return w.document.pointerLockElement || any(w) } catch {} };
		return document.pointerLockElement ? 'here' : any(window) ||
			/^I?FRAME$/.test(document.activeElement?.nodeName) ? 'frame' : '' }`
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
	known := c.DirectOnPage(pointerLock, "", nil, &where)
	if !known { // as while a trace is recorded, which this is no part of
		v, err := c.Isolated("pwpipe", "("+whereLocked+")()")
		where, known = v.(string)
		known = known && err == nil
	}
	switch {
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

// lateLock says, when the call's time is over, that the page has locked the pointer, "" where it has not. It
// takes a quarter of the grace at most.
func (c *Call) lateLock() string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Ctx), browser.LateGrace)
	defer cancel()
	late, where := *c, ""
	if late.Ctx = ctx; late.DirectOnPage(pointerLock, "", nil, &where) && where == "here" {
		return "; the page has locked the pointer (requestPointerLock)"
	}
	return ""
}
