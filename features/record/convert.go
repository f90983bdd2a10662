package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/internal/script/convert"
	"pwpipe/provider"
)

const convertHelp = `Print a script of requests as a program that runs without a model. The tool
log-start writes such scripts. Refs such as e5 have no meaning without their
page: log-start replaces them as they are used. What only a model looked at,
such as a snapshot, is left out.

The programs in bash, python, node and go speak to pwpipe over its pipe, with
what that language has on board. They take pwpipe's flags. A program in ilo
calls the tools over MCP. One in playwright needs the package playwright-core
and no pwpipe; BROWSER names its browser. A step that a language can't express
is an error, with its line.`

const convertExample = `  pwpipe convert session.ndjson --to python > flow.py
  python3 flow.py --base-url https://example.com`

func convertCommand(p *program.Program, out io.Writer) *cobra.Command {
	var to string
	languages := convert.Languages()
	cmd := program.Command("convert FILE", "Print a script of requests in another language", program.Takes(1, 1),
		func(_ *cobra.Command, args []string) error {
			if err := program.CheckValue("to", to, languages); err != nil {
				return err
			}
			table := p.Table()
			steps, err := stepsOf(table, program.ReadScript(table, args[0]), to)
			if err != nil {
				return err
			}
			text, err := convert.To(to, steps)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			_, err = io.WriteString(out, text)
			return err
		})
	cmd.Long, cmd.Example = convertHelp, convertExample
	cmd.Flags().StringVar(&to, "to", "", strings.Join(languages, ", "))
	_ = cmd.MarkFlagRequired("to")
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(languages, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// stepsOf are the requests of a script, their parameters by name. In a language that has no
// batch its steps stand in its place.
func stepsOf(table *provider.Table, s *program.Script, to string) ([]convert.Step, error) {
	if s.Broken {
		return nil, errors.New(s.Steps[0].Error)
	}
	var steps []convert.Step
	for _, st := range s.Steps {
		at := func(err error) error { return fmt.Errorf("%s:%d: %w", s.Name, st.Number, err) }
		requests := []provider.Request{st.Request}
		if tool := table.Find(st.Request.Tool); tool != nil && tool.Steps && !convert.HasBatch(to) {
			var err error
			if requests, err = table.StepsOf(st.Request); err != nil {
				return nil, at(err)
			}
		}
		for _, q := range requests {
			step, err := stepFor(table, q)
			if err != nil {
				return nil, at(err)
			}
			if step != nil {
				step.Line = st.Number
				steps = append(steps, *step)
			}
		}
	}
	return steps, nil
}

// stepFor is a request with its parameters by name, nil where a model looked at the page.
func stepFor(table *provider.Table, q provider.Request) (*convert.Step, error) {
	tool := table.Find(q.Tool)
	if tool == nil {
		return nil, fmt.Errorf("unknown method: %s", q.Tool)
	}
	if tool.Profile == "agent" && tool.Effect == provider.Reads {
		return nil, nil
	}
	asked := q
	q.Page, q.Timeout, q.Max = "", 0, 0
	q, err := tool.ByName(q)
	if err != nil {
		return nil, err
	}
	var named map[string]json.RawMessage
	if err := json.Unmarshal(q.Params, &named); err != nil {
		return nil, err
	}
	for _, key := range []string{"page", "timeout", "max"} { // those of every request may stand among its params
		if raw, given := named[key]; given && !tool.Has(key) {
			if err := tool.Ask(&asked, key, raw); err != nil {
				return nil, err
			}
			delete(named, key)
		}
	}
	step := &convert.Step{Tool: q.Tool, Profile: tool.Profile, Page: asked.Page, Timeout: asked.Timeout.Seconds()}
	for _, p := range tool.Params {
		if raw, given := named[p.Name]; given {
			step.Params = append(step.Params, convert.Param{Name: p.Name, Value: raw, Required: !p.Optional})
			delete(named, p.Name)
		}
	}
	for name := range named {
		return nil, fmt.Errorf("%s takes no parameter %q", q.Tool, name)
	}
	step.Selector, err = selectorOf(*step)
	return step, err
}

// selectorOf is the step's selector in the driver's form.
func selectorOf(step convert.Step) (parts []string, err error) {
	for _, p := range step.Params {
		var text string
		if !slices.Contains([]string{"sel", "from", "to"}, p.Name) || json.Unmarshal(p.Value, &text) != nil {
			continue
		}
		made, err := handlers.DriverSelector(text)
		if err != nil {
			return nil, err
		}
		if p.Name == "sel" {
			parts = made
		}
	}
	return parts, nil
}
