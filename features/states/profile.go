package states

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/state"
	"pwpipe/internal/machine/temp"
	"pwpipe/internal/policy/storagestate"
	"pwpipe/provider"
)

// importProfile saves the log-ins of a browser's profile under a name, and prints what
// state-save answers. A browser opens a copy of the profile's storage, as only it reads
// encrypted cookies, and visits the sites that have stored something. Empty pages answer all of
// its requests: nothing is sent.
func importProfile(
	p *program.Program, out io.Writer, name, folder, browser string, store *storagestate.Store,
) (err error) {
	ctx, stop := program.UntilSignal(context.Background())
	defer stop()
	temp.Sweep()
	dir, err := temp.Make()
	if err != nil {
		return err
	}
	defer temp.Remove(dir)
	o := program.Options{Program: p}
	o.Register("state-import", pflag.NewFlagSet("", pflag.ContinueOnError)) // the defaults
	o.Browser, o.UserDataDir = browser, filepath.Join(dir, "profile")
	origins, err := storagestate.CopyProfile(folder, o.UserDataDir)
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	state.States.Set(&o.Config, store)
	h, err := o.Open(program.Opening{})
	if err != nil {
		return err
	}
	defer h.Close()
	defer h.End(program.EndTime)
	ctx = handlers.WithSession(ctx, h.Browser.NewSession(handlers.SessionOptions{}))
	call := func(tool string, params ...any) (result json.RawMessage) {
		if err != nil {
			return nil
		}
		given, _ := json.Marshal(params) // of texts
		var r provider.Result
		if r, err = h.Table.Call(ctx, provider.Request{Tool: tool, Params: given}); err != nil {
			return nil
		}
		return r.JSON
	}
	call("route", "**/*", map[string]string{"body": "", "contentType": "text/html"})
	for _, origin := range origins {
		call("nav", origin+"/")
	}
	if saved := call("state-save", name); err == nil {
		_, err = fmt.Fprintf(out, "%s\n", saved)
	}
	return err
}
