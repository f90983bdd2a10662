package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
)

// runInSession runs the files in a session of shell commands, one after the other.
func (r *replay) runInSession(flags *pflag.FlagSet, files []string) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		ours := []string{"session", "junit", "html", "keep-going", "quiet", "repair", "update"}
		if !slices.Contains(ours, f.Name) && os.Getenv(envName(f.Name)) == "" && err == nil {
			err = fmt.Errorf("--%s belongs to a browser that is started: with --session one runs already", f.Name)
		}
	})
	if err != nil {
		return err
	}
	at, cwd, err := PlaceHere()
	if err != nil {
		return err
	}
	conn, err := at.Dial()
	if errors.Is(err, thin.ErrNothing) {
		thin.Fail(thin.StatusNothing, NothingRuns)
	}
	if err != nil {
		return err
	}
	_ = conn.Close()
	r.table = r.Program.Table()
	return r.runAll(files, func(ctx context.Context, s *Script) error {
		r.script(ctx, r.remote(at, cwd), s)
		return nil
	}, func() {})
}

// remote calls the tools of the user's service.
func (r *replay) remote(at thin.Place, cwd string) caller {
	return func(ctx context.Context, q provider.Request, repair *handlers.Repair) (json.RawMessage, error) {
		if tool := r.table.Find(q.Tool); tool != nil {
			var err error
			if q, err = tool.ByName(q); err != nil {
				return nil, err
			}
		}
		c := thin.Command{Words: []string{"call", q.Tool, string(q.Params)}, Values: []int{1, 2}, Dir: cwd,
			Session: r.session, Build: thin.Build(), Caller: thin.CallerIn(cwd)}
		if repair != nil {
			elements, err := json.Marshal(repair.Elements)
			if err != nil {
				return nil, err
			}
			c.Elements = string(elements)
		}
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
		}
		text := strings.TrimSpace(string(a.Text))
		if repair != nil {
			text = takeRepaired(text, repair)
		}
		if a.Status != 0 {
			return nil, provider.Errorf(provider.KindFailed, "%s", text)
		}
		return json.RawMessage(text), nil
	}
}

// takeRepaired takes what was repaired from the service's answer, and returns its text. A
// call that the service refuses is answered by the text alone.
func takeRepaired(answer string, repair *handlers.Repair) (text string) {
	var parts struct {
		Text     *string
		Repaired map[string]handlers.Repaired
	}
	if json.Unmarshal([]byte(answer), &parts) != nil || parts.Text == nil {
		return answer
	}
	repair.Repaired = parts.Repaired
	return strings.TrimSpace(*parts.Text)
}
