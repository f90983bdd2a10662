package program

import (
	"os"
	"time"

	"pwpipe/internal/shell/thin"
)

// AskOne sends a command to one service, if it gives a sign of life soon. A stopped service must
// not keep the command from the others.
func AskOne(at thin.Place, c thin.Command) (a thin.Answer, err error) {
	if err := at.SignOfLife(3 * time.Second); err != nil {
		return a, err
	}
	conn, err := at.Dial()
	if err != nil {
		return a, err
	}
	return c.Ask(at, conn)
}

// OpenSession is a session in the list of a service, with the name of the service.
type OpenSession struct {
	Name    string `json:"name"`
	ID      string `json:"session_id"`
	Idle    int    `json:"idle"`
	URL     string `json:"url"`
	Owner   string `json:"owner"`
	Yours   bool   `json:"yours"`
	Service string `json:"service"`
}

// PlaceHere returns the place of the service with this folder's settings, and the folder.
func PlaceHere() (at thin.Place, cwd string, err error) {
	if cwd, err = os.Getwd(); err == nil {
		at, err = thin.Here(cwd)
	}
	return at, cwd, err
}

// NothingRuns is said where a command needs a service, and none runs.
const NothingRuns = "nothing is running; `pwpipe open URL` starts it"
