package states

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/internal/policy/storagestate"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider/service"
)

// commands makes the commands that list, show and delete what state-save and sessions with
// --persist keep, and the one that imports a state of another program.
func commands(p *program.Program, out io.Writer) []*cobra.Command {
	asJSON, from, browser := false, program.KeyOptions{}, ""
	out = thin.ForTerminal(out) // pages choose the names
	list := program.Command("state-list",
		"List the saved states, and the sessions whose cookies and storage are kept", program.Takes(0, 0),
		func(*cobra.Command, []string) error { return listStates(out, asJSON) })
	show := program.Command("state-show [NAME]",
		"Show what a saved state, or a kept session, has: names and expiry, no values", program.Takes(0, 1),
		func(cmd *cobra.Command, args []string) error {
			if err := from.FromSettings(p, cmd); err != nil {
				return err
			}
			return showState(out, sessionOf(args), asJSON, &from)
		})
	forget := program.Command("state-delete [NAME]",
		"Delete a saved state, or what is kept of a session", program.Takes(0, 1),
		func(_ *cobra.Command, args []string) error { return deleteState(sessionOf(args)) })
	bring := program.Command("state-import NAME FILE",
		"Save a storage state of Playwright, a state of agent-browser, or a profile of Chromium, under a name",
		program.Takes(2, 2),
		func(cmd *cobra.Command, args []string) error {
			if err := from.FromSettings(p, cmd); err != nil {
				return err
			}
			return importState(p, out, args[0], args[1], browser, &from)
		})
	for _, cmd := range []*cobra.Command{list, show} {
		cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	}
	from.Register(show.Flags())
	from.Register(bring.Flags())
	bring.Flags().StringVar(&browser, "browser", "", "path or name of the browser that opens a profile")
	all := []*cobra.Command{list, show, forget, bring}
	for _, cmd := range all { // they read no settings, except to find the service
		cmd.PersistentPreRunE = func(*cobra.Command, []string) error { return nil }
	}
	return all
}

func sessionOf(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	name := service.DefaultSession
	if dir, err := os.Getwd(); err == nil {
		if c := thin.CallerIn(dir); c.Agent {
			name = c.Own
		}
	}
	return cmp.Or(os.Getenv("PWPIPE_SESSION"), name)
}

func keptStates() ([]handlers.KeptFile, error) {
	base, err := program.StateFolder()
	if err != nil {
		return nil, err
	}
	return handlers.ListKept(base)
}

// keptHere finds a saved state, or what is kept of a session of this folder's service. A name
// with the folder before it, as state-list prints it, means that one. It ends the process if
// there is none, or are two.
func keptHere(name string) (k handlers.KeptFile, at thin.Place, err error) {
	list, err := keptStates()
	if err != nil {
		return k, at, err
	}
	if at, _, err = program.PlaceHere(); err != nil {
		return k, at, err
	}
	found := slices.DeleteFunc(list, func(k handlers.KeptFile) bool {
		here := k.Name == name && (k.Of == at.Name || k.Of == program.SavedFolder)
		return !here && k.Of+"/"+k.Name != name
	})
	switch {
	case len(found) == 0:
		thin.Fail(thin.StatusNothing, fmt.Sprintf("nothing is kept of session %s of these settings, "+
			"or saved as %s; `pwpipe state-list` lists what is", name, name))
	case len(found) > 1:
		thin.Fail(thin.StatusFailed, fmt.Sprintf("%s is a saved state and a session: give %s/%s or %s/%s",
			name, found[0].Of, name, found[1].Of, name))
	}
	at.Name = found[0].Of // of its service
	return found[0], at, nil
}

func listStates(out io.Writer, asJSON bool) error {
	list, err := keptStates()
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(out).Encode(append([]handlers.KeptFile{}, list...))
	}
	here, _, err := program.PlaceHere()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, k := range list {
		name, other := k.Name, ""
		switch k.Of {
		case here.Name:
		case program.SavedFolder:
			name = k.Of + "/" + k.Name
		default:
			name, other = k.Of+"/"+k.Name, "\tof other settings"
		}
		fmt.Fprintf(w, "%s\tsaved %s\t%d bytes%s\n", name, k.Saved.Format(time.DateTime), k.Bytes, other)
	}
	return w.Flush()
}

func showState(out io.Writer, name string, asJSON bool, from *program.KeyOptions) error {
	k, _, err := keptHere(name)
	if err != nil {
		return err
	}
	passphrase, err := from.Passphrase()
	if err != nil {
		return err
	}
	names, err := k.Names(program.NewStateKey(passphrase, filepath.Dir(k.File)))
	endIf(err)
	if asJSON {
		return json.NewEncoder(out).Encode(names)
	}
	for _, c := range names.Cookies {
		expires := "with the browser"
		if c.Expires > 0 {
			expires = time.Unix(int64(c.Expires), 0).Format(time.DateTime)
		}
		fmt.Fprintf(out, "cookie %s of %s%s, ends %s\n", c.Name, c.Domain, c.Path, expires)
	}
	for _, o := range names.Origins {
		for _, item := range o.LocalStorage {
			fmt.Fprintf(out, "local storage %s of %s\n", item, o.Origin)
		}
		for _, item := range o.SessionStorage {
			fmt.Fprintf(out, "session storage %s of %s\n", item, o.Origin)
		}
		for _, db := range o.IndexedDB {
			fmt.Fprintf(out, "IndexedDB %s of %s\n", db, o.Origin)
		}
	}
	return nil
}

// importState saves another program's state under a name, and prints what state-save answers.
func importState(p *program.Program, out io.Writer, name, file, browser string, from *program.KeyOptions) error {
	_, store, err := from.Store()
	if err != nil {
		return err
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		if _, err = store.Path(name); err == nil { // before a browser starts
			err = importProfile(p, out, name, file, browser, store)
		}
		endIf(err)
		return nil
	}
	saved, err := handlers.ImportState(store, name, file, os.Getenv(storagestate.AgentBrowserKey))
	endIf(err)
	return json.NewEncoder(out).Encode(saved)
}

// deleteState deletes the state of a session that is not open: an open one would be saved again.
func deleteState(name string) error {
	k, at, err := keptHere(name)
	if err != nil {
		return err
	}
	open := false
	if k.Of != program.SavedFolder {
		open, err = isOpen(at, k.Name)
	}
	endIf(err)
	if open {
		thin.Fail(thin.StatusFailed, fmt.Sprintf(
			"session %s is open, and would be kept again; `pwpipe close %s` closes it", k.Name, k.Name))
	}
	endIf(k.Delete())
	return nil
}

func endIf(err error) {
	if err != nil {
		thin.Fail(thin.StatusFailed, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
}

func isOpen(at thin.Place, name string) (bool, error) {
	dir, err := os.Getwd()
	if err != nil {
		return false, err
	}
	sessions := thin.Command{Words: []string{"sessions"}, Dir: dir, Output: "json", Build: thin.Build()}
	a, err := program.AskOne(at, sessions)
	switch {
	case errors.Is(err, thin.ErrNothing):
		return false, nil
	case err != nil:
		return false, err
	case a.Ending: // it saves what is open
		return false, errors.New("the service is about to end; try again")
	}
	var list []program.OpenSession
	err = json.Unmarshal(a.Text, &list)
	return slices.ContainsFunc(list, func(s program.OpenSession) bool { return s.Name == name }), err
}
