// Package bundle reads Playwright's own code, which is one file: the driver and
// the scripts' process run it in a form that gives out the modules in it.
package bundle

import (
	_ "embed"
	"strings"
)

// JavaScript; see the files.
var (
	// Source makes a function of Playwright's bundle.
	//
	//go:embed bundle.cjs
	Source []byte
	//go:embed inject.cjs
	inject string
	// InsertText is a function that types a text into the document of an element.
	//
	//go:embed insert.js
	InsertText string
	// WatchPress is a function that watches a press of the mouse at an element.
	//
	//go:embed press.js
	WatchPress string
	//go:embed hover.js
	watchHover string
	//go:embed type.js
	typeText string
	// TypeText is a function that types a text key by key into the document of an element.
	TypeText = strings.Replace(typeText, "INSERT_TEXT", InsertText, 1)
	// WatchKeys is a function that watches where the keys go that are pressed for an element.
	//
	//go:embed keys.js
	WatchKeys string
	// StandIn is a function that answers what is pressed for a checkbox that is not drawn itself.
	//
	//go:embed standin.js
	StandIn string
	// Inject has the patches that the driver and the scripts' process share.
	Inject = []byte(strings.NewReplacer("INSERT_TEXT", InsertText, "WATCH_PRESS", WatchPress, "WATCH_HOVER", watchHover,
		"STAND_IN", StandIn, "TYPE_TEXT", TypeText, "WATCH_KEYS", WatchKeys).Replace(inject))
	// Places puts coordinates in frames right.
	//
	//go:embed places.cjs
	Places []byte
)
