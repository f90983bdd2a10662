// Package scripts lets pwpipe run scripts on Playwright's own code in a sandboxed process: execute.
package scripts

import (
	"os"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/agent"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/scripts"
	"pwpipe/internal/script/typescript"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:  "scripts",
	Doc:   "run scripts on Playwright's own code in a sandboxed process: execute",
	Needs: []string{"endpoint"},
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterSearch: agent.ExecuteTools},
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeEmulate: {agent.Hooks, scripts.Hooks}},
	},
	Takes: takeProcess,
	Flags: newFlags,
	Check: scripts.CheckCell,
}

// takeProcess is the process that removes the types of a script.
func takeProcess(_ *program.Program, _ []string, out *os.File) (bool, error) {
	typescript.RunIfAsked(out)
	return false, nil
}
