package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
)

// runInSession runs the files in a session of shell commands, one after the other.
func (r *replay) runInSession(flags *pflag.FlagSet, files []string) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		ours := []string{"session", "junit", "html", "keep-going", "quiet"}
		if !slices.Contains(ours, f.Name) && os.Getenv(envName(f.Name)) == "" && err == nil {
			err = fmt.Errorf("--%s belongs to a browser that is started: with --session one runs already", f.Name)
		}
	})
	if err != nil {
		return err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	at, err := thin.Here(cwd)
	if err != nil {
		return err
	}
	conn, err := at.Dial()
	if errors.Is(err, thin.ErrNothing) {
		thin.Fail(thin.StatusNothing, "nothing is running; `pwpipe open URL` starts it")
	}
	if err != nil {
		return err
	}
	_ = conn.Close()
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals...)
	defer stop()
	table := provider.NewTable(handlers.Tools(), provider.TableOptions{})
	scripts, begin := []*script{}, time.Now()
	for _, file := range files { // all are read before anything is done
		scripts = append(scripts, readScript(table, file))
	}
	for _, s := range scripts {
		if s.broken {
			fmt.Fprintf(r.out, "%s\n  %s\n", s.Name, s.Steps[0].line())
			continue
		}
		r.script(ctx, r.remote(at, table, cwd), s)
	}
	return r.report(ctx, scripts, begin)
}

// remote calls the tools of the user's service.
func (r *replay) remote(at thin.Place, table *provider.Table, cwd string) caller {
	return func(ctx context.Context, q provider.Request) (json.RawMessage, error) {
		if tool := table.Find(q.Tool); tool != nil {
			var err error
			if q, err = tool.ByName(q); err != nil {
				return nil, err
			}
		}
		c := thin.Command{Words: []string{"call", q.Tool, string(q.Params)}, Values: []int{1, 2}, Dir: cwd,
			Session: r.session, Build: thin.Build()}
		conn, err := at.Dial()
		if err != nil {
			return nil, provider.Errorf(provider.KindUnavailable, "%w", err)
		}
		defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
		a, err := c.Ask(at, conn)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, provider.Errorf(provider.KindUnavailable, "%w", err)
		case a.Status != 0:
			return nil, provider.Errorf(provider.KindFailed, "%s", a.Text)
		}
		return json.RawMessage(strings.TrimSpace(string(a.Text))), nil
	}
}
