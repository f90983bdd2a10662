package tool

import _ "embed"

// EditedLines is a JavaScript function of an element that is edited in place: the text in it,
// in the lines that it shows.
//
//go:embed lines.js
var EditedLines string
