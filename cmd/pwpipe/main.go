// Command pwpipe is Playwright over a pipe: it reads requests from stdin, a
// line of JSON each, drives a real browser and writes replies to stdout.
package main

import (
	"pwpipe/cmd/program"
	"pwpipe/features"
	_ "pwpipe/internal/machine/early" // its init may end the process, or make it another
)

// version is set when a release is built, and commit where there is no checkout to read it
// from: -ldflags "-X main.version=… -X main.commit=…".
var (
	version = "0.1.0-dev"
	commit  string
)

func main() { program.Program{Version: version, Commit: commit, Features: features.All()}.Main() }
