package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pwpipe/cmd/program"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider/commandline"
)

// everywhere sends a command to every service of this user, whatever its settings. There may be
// none. failed has a line for each service that failed.
func (r *runner) everywhere(c thin.Command, see func(thin.Place, thin.Answer) error) (failed []string) {
	locks, err := filepath.Glob(filepath.Join(r.place.Dir, "service*.lock"))
	if err != nil {
		return []string{err.Error()}
	}
	for _, file := range locks {
		at := thin.Place{Dir: r.place.Dir, Name: strings.TrimSuffix(filepath.Base(file), ".lock")}
		a, err := program.AskOne(at, c)
		if err == nil && !a.Ending {
			err = see(at, a)
		}
		if err != nil && !isGone(at, err) {
			failed = append(failed, at.Name+": "+strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
	return failed
}

// isGone reports whether an error only says that no service runs there.
func isGone(at thin.Place, err error) bool {
	if errors.Is(err, thin.ErrLost) { // one that was about to end
		conn, again := at.Dial()
		if again == nil {
			_ = conn.Close()
		}
		err = again
	}
	return errors.Is(err, thin.ErrNothing)
}

func (r *runner) sessions(c thin.Command) error {
	inJSON := c
	inJSON.Output = "json"
	list := []program.OpenSession{}
	failed := r.everywhere(inJSON, func(at thin.Place, a thin.Answer) error {
		var some []program.OpenSession
		if a.Status != 0 {
			return errors.New(string(a.Text))
		}
		if err := json.Unmarshal(a.Text, &some); err != nil {
			return err
		}
		for _, s := range some {
			s.Service = at.Name
			list = append(list, s)
		}
		return nil
	})
	errs := thin.ForTerminal(os.Stderr)
	for _, line := range failed {
		fmt.Fprintln(errs, "pwpipe:", line)
	}
	// The services have said what is wrong with the words.
	if l, _ := commandline.Split(c.Words, c.Values, commandline.Options{Output: c.Output}); l.Output == "json" {
		text, err := json.Marshal(list)
		if err == nil {
			_, err = fmt.Fprintf(r.out, "%s\n", text)
		}
		if err == nil && len(failed) > 0 {
			os.Exit(thin.StatusFailed)
		}
		return err
	}
	for _, s := range list {
		other := ""
		if s.Yours {
			s.Owner += " (yours)"
		}
		if s.Service != r.place.Name {
			other = "\tof other settings (" + s.Service + ")"
		}
		idle := time.Duration(s.Idle) * time.Second
		fmt.Fprintf(r.out, "%s\t%s\tused %s ago\t%s%s\n", s.Name, s.URL, idle, s.Owner, other)
	}
	switch {
	case len(failed) > 0:
		os.Exit(thin.StatusFailed)
	case len(list) == 0:
		thin.Fail(thin.StatusNothing, program.NothingRuns)
	}
	return nil
}

// closeAll closes the sessions of all services, which then end.
func (r *runner) closeAll(c thin.Command) {
	failed := r.everywhere(c, func(_ thin.Place, a thin.Answer) error {
		if a.Status != 0 && a.Status != thin.StatusNothing {
			return errors.New(string(a.Text))
		}
		return nil
	})
	if len(failed) > 0 {
		thin.Fail(thin.StatusFailed, strings.Join(failed, "; "))
	}
}
