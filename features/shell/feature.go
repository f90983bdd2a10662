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
	Takes:    func(p *program.Program, words []string, out *os.File) (bool, error) { return takesWords(p, words, out) },
}

// addCommands adds the commands, and what the service takes to those that `config` shows.
func addCommands(p *program.Program, root *cobra.Command, out *os.File) {
	for _, c := range root.Commands() {
		if c.Name() == "config" {
			new(userService).register(c.Flags())
		}
	}
	root.AddCommand(serviceCommand(p), newSkillCommand(p, out))
}
