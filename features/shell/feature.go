// Package shell lets pwpipe run each tool as a shell command, in a browser that stays open between two.
package shell

import (
	"pwpipe/program"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:     "shell",
	Doc:      "run each tool as a shell command, in a browser that stays open between two",
	Commands: program.ShellCommands,
	Takes:    program.TakesShell,
}
