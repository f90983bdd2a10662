// Package shell lets pwpipe run each tool as a shell command, in a browser that stays open between two.
package shell

import (
	"os"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:     "shell",
	Doc:      "run each tool as a shell command, in a browser that stays open between two",
	Commands: addCommands,
	Takes:    program.TakesShell,
}

func addCommands(p *program.Program, root *cobra.Command, out *os.File) {
	program.ShellCommands(p, root, out)
	root.AddCommand(newSkillCommand(p, out))
}
