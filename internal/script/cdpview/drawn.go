package cdpview

import (
	"context"
	"strings"
	"time"

	"pwpipe/internal/browser/cdp"
)

// filmTime is how long the browser may take to say what it is, and to open a
// session for a film.
const filmTime = 2 * time.Second

// draw has a page drawn while a command runs that may wait for its frames: pictures,
// input, and scripts. done is nil for other commands.
func (s *session) draw(method string) (done func()) {
	switch method {
	case "Page.captureScreenshot", "Runtime.evaluate", "Runtime.callFunctionOn", "Runtime.awaitPromise":
	default:
		if !strings.HasPrefix(method, "Input.") {
			return nil
		}
	}
	if s.page == "" {
		return nil
	}
	return s.film.While(func() (end func()) { return filmed(s.client.devtools, s.page) })
}

// filmed films a page, on a session that the client does not know.
func filmed(devtools *cdp.Session, page string) (end func()) {
	ctx, cancel := context.WithTimeout(context.Background(), filmTime)
	defer cancel()
	var is struct{ Product string }
	if devtools.Call(ctx, "Browser.getVersion", nil, &is) != nil || cdp.IsShell(is.Product) {
		return func() {}
	}
	s, err := devtools.Attach(ctx, page)
	if err != nil {
		return func() {} // it is gone
	}
	s.Send("Page.startScreencast", cdp.Filming(), nil)
	return s.Drop
}
