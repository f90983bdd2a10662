package scripts

import (
	"os"

	"pwpipe/cmd/program"
	"pwpipe/features/scripts/typescript"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:  "scripts",
	Doc:   "run scripts on Playwright's own code in a sandboxed process: execute",
	Needs: []string{"endpoint"},
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterSearch: Tools},
		Hooks: map[handlers.Stage][]browser.Hooks{handlers.BeforeEmulate: {earlyHooks, Hooks}},
	},
	Takes: takeProcess,
	Flags: newFlags,
	Check: CheckCell,
}

// takeProcess is the process that removes the types of a script.
func takeProcess(_ *program.Program, _ []string, out *os.File) (bool, error) {
	typescript.RunIfAsked(out)
	return false, nil
}
