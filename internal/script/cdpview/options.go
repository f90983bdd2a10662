package cdpview

import (
	"encoding/json"

	"pwpipe/internal/browser/cdp"
)

// Options are what the session may do. The functions may be called from any
// goroutine, and must not wait for the browser.
type Options struct {
	// Context is the browser context that the client takes for the default one,
	// "" where it is the browser's own.
	Context string
	// Owns says whether a browser context is the session's.
	Owns func(context string) bool
	// Shared describes a browser that somebody else uses as well, nil for none.
	Shared *SharedBrowser

	// World is what the driver calls its isolated world, which the client has no part
	// in; "" where it is to have one. Worlds are those of others that are the client's
	// as well.
	World  string
	Worlds []string

	Navigate   func(url string) error    // whether a page may go there
	Refused    func(url string) error    // why a request may not go there; nil where all may
	Upload     func(path string) error   // whether a page may be given the file
	Proxy      func(server string) error // whether a context may use the proxy
	Permission func(name string) error   // whether sites may be given the permission
	// Input judges a key or a button that is pressed on a target; what is done instead
	// is waited for, nil for nothing.
	Input      func(target, method string, p map[string]json.RawMessage) (instead func() error, _ error)
	NewPage    func(context string) error // whether there is room for one more there
	NewContext func() error               // likewise

	// Draw judges with how many pixels the client has a page drawn, 0 for what it has by
	// itself; Scale is how many it has by itself for one of CSS.
	Draw  func(target string, pixels float64) error
	Scale func(target string) float64

	// Answered tells that the client has answered a dialog of a target, Attached that
	// it has a session with a page. It must not block.
	Answered func(target string)
	Attached func(target string, s *cdp.Session)

	// Sole says whether the session is the browser's only one, and how many have come
	// there so far; nil where it is not to be that.
	Sole func() (since int64, sole bool)

	// Choosers say whose a file chooser is, nil where all are the client's. First is
	// a client that has them before the others do.
	Choosers *Choosers
	First    bool

	// Downloads are told, nil for a client that is told of them otherwise.
	Downloads *Downloads

	// Budget is the session's, for all its clients; nil for none.
	Budget *Budget

	// Settled, if there is one, waits until others who work in a context have heard
	// of a page that the client opened there: what the page does from then on is not
	// missed by them. The client is answered afterwards.
	Settled func(context, target string)

	// Leaves is told of a page that the client has go elsewhere. Where that fails,
	// shown waits until the page is at Chromium's error page: a navigation that is
	// begun before may be lost. nil for no such wait.
	Leaves func(target string) (shown func())

	// NewContext takes a place, which Closed gives back: "" of one that did not
	// come to be.
	Opened, Closed func(context string)
}

// sole is Sole, and false if there is none.
func (o *Options) sole() (since int64, _ bool) {
	if o.Sole == nil {
		return 0, false
	}
	return o.Sole()
}
