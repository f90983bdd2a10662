package fastpath

import (
	"strings"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/refs"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/driver"
)

// The library needs Playwright's injected script, some 300 kB, in each document
// that is read. Where the driver has brought its own, that one will do, as ours
// does for the driver (shareInjectedScript in internal/browser/driver). Else it goes there
// with the question; and from a page's second document on Chromium has it ready in
// each: it is sent once, and compiled once, and does nothing until it is called.

// asks makes an object of the library where the injected script is the driver's,
// else null.
var asks = sync.OnceValue(func() string {
	return "(() => { const own = globalThis[Symbol.for('pwpipe')]; return own ? (" + answering() + ")(own.make()) : null })()"
})

// asksReady makes an object of the library where it is ready, else null.
const asksReady = "globalThis[Symbol.for('pwpipe.library')]?.() ?? null"

// brings is a function that makes an object of the library, whatever is there;
// "" if the driver's script can't be read.
func brings(driver string) string {
	if text, ok := brought.Load(driver); ok {
		return text.(string)
	}
	script := injectedScript(driver)
	if script != "" {
		script = strings.NewReplacer("ASKS", asks(), "ENGINE", refs.Engine(), "NAMES", refs.NameEngine(), "SCRIPT", script).
			Replace("() => ASKS ?? (() => { const module = {};\nSCRIPT\n(ENGINE);\nglobalThis[Symbol.for('pwpipe')].engines.names = NAMES;\nreturn ASKS })()")
	}
	brought.Store(driver, script)
	return script
}

// brought are the texts of brings, by the driver's folder.
var brought sync.Map

// readies has Chromium keep the library ready in each document that the page
// shows from now on: in the driver's session, as its world is that session's.
func (d *document) readies(p *browser.Page) {
	s := beside(p)
	if d.entered++; d.entered < 2 || s == nil || s == d.readied {
		return
	}
	d.readied = s
	s.Send("Page.addScriptToEvaluateOnNewDocument", map[string]any{
		"source":    "if (parent === self) globalThis[Symbol.for('pwpipe.library')] = " + brings(p.Engine.DriverDir),
		"worldName": driver.UtilityWorld,
	}, nil)
}

// beside is the driver's own session with the page, nil where none is known.
func beside(p *browser.Page) *cdp.Session {
	if p.Engine.Conn == nil {
		return nil
	}
	return p.Engine.Conn.Beside(p.Target())
}

// ready reports whether documents have it.
func (d *document) ready(p *browser.Page) bool { return d.readied != nil && d.readied == beside(p) }

// sources are what makes an object of the library, one by one until there is one.
func (d *document) sources(p *browser.Page) []func() string {
	first := asks
	if d.ready(p) {
		first = func() string { return asksReady }
	}
	return []func() string{first, func() string {
		text := brings(p.Engine.DriverDir)
		if text != "" {
			d.readies(p)
			text = "(" + text + ")()"
		}
		return text
	}}
}
