// Package bundle reads Playwright's own code, which is one file: the driver and
// the scripts' process run it in a form that gives out the modules in it.
package bundle

import _ "embed"

// JavaScript; see the files.
var (
	// Source makes a function of Playwright's bundle.
	//
	//go:embed bundle.cjs
	Source []byte
	// Inject puts selector engines into Playwright's injected script.
	//
	//go:embed inject.cjs
	Inject []byte
)
