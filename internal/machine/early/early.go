// Package early does what a process of pwpipe does before the rest of the program is
// initialised: it becomes another program, or answers a shell command.
//
// Its init function is the only one outside of tests. Packages are initialised in the order
// of their import paths as soon as all that they import is (the Go specification, "Program
// initialization"). This one imports little, so it comes before nearly all others. Three
// things need that:
//
//   - A process that becomes another program does not wait for the rest of ours to be
//     initialised. That would take six milliseconds, three times in every start.
//   - A shell command needs none of the rest while the user's service runs. That is most
//     of the time that a command takes.
//   - A malformed MCPGODEBUG is gone before the MCP SDK sees it: its package would
//     panic as it is initialised.
//
// So nothing that is imported here may import fmt, strings or strconv.
//
// Only the command pwpipe imports this package. A test that starts a driver, a browser or
// a sandbox in its own process calls [cell.Run] in its TestMain.
package early

import (
	"pwpipe/internal/machine/cell"
	"pwpipe/internal/shell/thin"
)

func init() {
	mendEnvironment()
	cell.Run()
	thin.Run()
}
