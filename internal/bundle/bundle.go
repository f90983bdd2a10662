// Package bundle reads Playwright's own code, which is one file: the driver and
// the scripts' process run it in a form that gives out the modules in it.
package bundle

import _ "embed"

// Source is JavaScript that makes a function of Playwright's bundle; see the file.
//
//go:embed bundle.cjs
var Source []byte
