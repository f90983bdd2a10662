package devtools

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/devtools"
	"pwpipe/provider"
)

// inspected is the devtools profile's state of a page.
var inspected browser.State[*browser.Page, inspection]

type inspection struct {
	opening sync.Mutex                    // held while the session is opened
	tools   atomic.Pointer[devtools.Page] // nil until a tool needs it
}

// cdpSession adapts a CDP session of Playwright to package devtools.
type cdpSession struct{ playwright.CDPSession }

// On calls fn with the events of a name.
func (s cdpSession) On(event string, fn func(map[string]any)) { s.CDPSession.On(event, fn) }

// Inspector opens the page's DevTools, with a session of its own, when it is first
// needed: browserContext.newCDPSession.
func Inspector(p *browser.Page) (*devtools.Page, error) {
	if !p.Engine.Chromium {
		return nil, provider.Errorf(provider.KindFailed, "these tools work in Chromium only").
			WithHint("start pwpipe with --browser chromium")
	}
	d := inspected.Of(p)
	d.opening.Lock()
	defer d.opening.Unlock()
	if tools := d.tools.Load(); tools != nil {
		return tools, nil
	}
	s, err := p.OpenDevTools()
	if err != nil {
		return nil, err
	}
	tools := devtools.Open(cdpSession{s}, func(at *devtools.Where) { d.note(p, at) })
	tools.MayLoad = func(address string) error { return p.Session.Browser.Policy().Request(address) }
	tools.Mask = p.Session.Browser.Config.Mask
	d.tools.Store(tools)
	p.Engine.Releases.Add(func(*browser.Engine) { p.LetGo() })
	return tools, nil
}

// note takes the report that the page paused or resumed. Event callbacks call it.
func (d *inspection) note(p *browser.Page, at *devtools.Where) {
	if at == nil {
		p.Hold(nil)
		return
	}
	p.Hold(&browser.Hold{At: at, Settle: d.settle, Release: d.release})
}

// settle implements [Hold].
func (d *inspection) settle(ctx context.Context) {
	if tools := d.tools.Load(); tools != nil {
		tools.Settle(ctx)
	}
}

// release implements [Hold]. The next tool opens the debugger again.
func (d *inspection) release(ctx context.Context) {
	if tools := d.tools.Swap(nil); tools != nil {
		_ = tools.Close(ctx)
	}
}
