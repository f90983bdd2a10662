// Package bundle reads Playwright's own code, which is one file: the driver and
// the scripts' process run it in a form that gives out the modules in it.
package bundle

import (
	"bytes"
	_ "embed"
)

// JavaScript; see the files.
var (
	// Source makes a function of Playwright's bundle.
	//
	//go:embed bundle.cjs
	Source []byte
	//go:embed inject.cjs
	inject []byte
	// InsertText is a function that types a text into the document of an element.
	//
	//go:embed insert.js
	InsertText string
	// Inject has the patches that the driver and the scripts' process share.
	Inject = bytes.Replace(inject, []byte("INSERT_TEXT"), []byte(InsertText), 1)
)
