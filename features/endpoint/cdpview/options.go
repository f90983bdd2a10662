package cdpview

import (
	"encoding/json"

	"pwpipe/internal/browser/cdp"
)

// Options are what the session may do. The functions may be called from any
// goroutine, and must not wait for the browser.
type Options struct {
	// Context is the browser context that the client takes for the default one; "" stands
	// for the browser's own.
	Context string
	// Page is the target whose own connection this is; "" for a connection with the browser.
	Page string
	// Owns reports whether a browser context is the session's.
	Owns func(context string) bool
	// Shared describes a browser that somebody else uses as well, nil for none.
	Shared *SharedBrowser

	// World is the name of the driver's isolated world, which is hidden from the client; ""
	// if it is not. Worlds are the names of other worlds that the client may use.
	World  string
	Worlds []string

	Navigate   func(url string) error    // whether a page may go there
	Refused    func(url string) error    // why a request may not go there; nil if all may
	Upload     func(path string) error   // whether a page may be given the file
	Proxy      func(server string) error // whether a context may use the proxy
	Permission func(name string) error   // whether sites may be given the permission
	// Input judges a key or a button that is pressed on a target. If it returns instead,
	// that is done in its place.
	Input      func(target, method string, p map[string]json.RawMessage) (instead func() error, _ error)
	NewPage    func(context string) error // whether there is room for one more there
	NewContext func() error               // likewise

	// Draw judges how many pixels the client has a page drawn with; 0 stands for the page's
	// own number. Scale is the page's own number of pixels for one of CSS.
	Draw  func(target string, pixels float64) error
	Scale func(target string) float64

	// Answered is called when the client has answered a dialog of a target, Attached when
	// it has a session with a page. They must not block.
	Answered func(target string)
	Attached func(target string, s *cdp.Session)

	// Sole reports whether the session is the browser's only one, and how many sessions the
	// browser has had.
	Sole func() (since int64, sole bool)

	// Choosers decide whose a file chooser is. A client with First gets them before others.
	Choosers *Choosers
	First    bool

	// Downloads say where files are; nil for a client that hears of downloads in another way.
	Downloads *Downloads

	// Budget is the session's, for all its clients.
	Budget *Budget

	// Settled waits until others who work in a context have heard of a page that the client
	// opened there: they miss nothing that the page does from then on. The client is
	// answered afterwards.
	Settled func(context, target string)

	// Leaves is called when the client navigates a page. If the navigation fails, shown
	// waits until Chromium's error page is there: a navigation that begins before may be
	// lost.
	Leaves func(target string) (shown func())

	// NewContext takes a place for a context, which Closed gives back; it gets "" for a
	// context that was not created.
	Opened, Closed func(context string)
}

// trusts is the rule of Security.setIgnoreCertificateErrors. Sent to the browser, it would
// hold for the pages of all clients: it is sent to each page instead that this client has a
// session with, now or later.
var trusts = with("ignore", func(c *command, ignore bool) error {
	if !c.session.root {
		return nil
	}
	for _, s := range c.targets.trust(ignore) {
		s.trusts(ignore)
	}
	return c.answers(nothing)
})

// trusts has the session's page accept certificates that are not valid, or no longer.
func (s *session) trusts(ignore bool) {
	s.Send("Security.setIgnoreCertificateErrors", map[string]any{"ignore": ignore}, nil)
}
