package fastpath

import (
	"strings"
	"sync"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/refs"
	"pwpipe/internal/browser/driver"
)

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
	script := injectedScript(driver)
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

// sources are the scripts that make an object of the library, tried in order.
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
