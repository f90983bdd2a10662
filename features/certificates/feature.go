// Package certificates lets pwpipe give sites the client certificates that they ask for.
package certificates

import (
	"pwpipe/cmd/program"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:  "certificates",
	Doc:   "give sites the client certificates that they ask for",
	Flags: newFlags,
}
