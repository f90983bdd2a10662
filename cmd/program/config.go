package program

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/internal/shell/thin"
)

// The programs that settings are for.
const (
	OfShell = "shell"
	ofPipe  = "pipe"
	ofServe = "serve"
	ofRun   = "run"
)

// Programs are the programs that settings are for.
var Programs = []string{OfShell, ofPipe, ofServe, ofRun}

// FlagsOf are the flags of a program, nil where its feature is left out.
func (p *Program) FlagsOf(program string) *pflag.FlagSet {
	root := p.CommandLine(os.Stdout)
	if program == ofPipe {
		return root.Flags()
	}
	name := program
	if program == OfShell {
		name = "service"
	}
	for _, c := range root.Commands() {
		if c.Name() == name {
			return c.Flags()
		}
	}
	return nil
}

// settable is the program that words name, of those that are there: without words the first.
func (p *Program) settable(words []string) (string, error) {
	there := slices.DeleteFunc(slices.Clone(Programs), func(name string) bool { return p.FlagsOf(name) == nil })
	program := append(words, there...)[0]
	if err := OneOf(program, there...); err != nil {
		return "", hinted(err, p.leftOut())
	}
	return program, nil
}

// canBeSet are the flags that a file of settings may name: those of any program.
func (p *Program) canBeSet() *pflag.FlagSet {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, program := range Programs {
		all.AddFlagSet(p.FlagsOf(program))
	}
	return all
}

// fromSettings sets the flags that were not given: from variables, or else from files of
// settings where the command drives a browser.
func (p *Program) fromSettings(cmd *cobra.Command) error {
	program := cmd.Name()
	if !cmd.HasParent() {
		program = ofPipe
	}
	cwd, err := os.Getwd()
	isOne := program == ofPipe || program == ofServe || program == ofRun
	if !isOne || err != nil || len(thin.SettingsFiles(cwd)) == 0 {
		return fromEnvironment(cmd, nil)
	}
	list, err := p.Settings(cwd, program, cmd.Flags())
	if err != nil {
		return err
	}
	ofFiles := map[string]bool{}
	for _, s := range list {
		if !s.file {
			continue
		}
		ofFiles[s.Name] = true
		if f := cmd.Flags().Lookup(s.Name); f.Value.Set(s.Value) != nil {
			return badValue(s.From+": "+s.Name, f, s.Value)
		}
	}
	return fromEnvironment(cmd, ofFiles)
}

func (p *Program) configCommand(out io.Writer) *cobra.Command {
	o, asJSON := Options{Program: p}, false
	cmd := &cobra.Command{
		Use: "config [PROGRAM]", Short: "Print the settings, and where each is from", ValidArgs: Programs,
		Args: takes(0, 1),
		Long: "Prints what holds in this folder for shell commands, or for the program pipe, serve or run:\n" +
			"a flag, else a variable PWPIPE_…, else " + thin.SettingsName +
			" of the nearest folder up, else the user's, else the default. " +
			"The nearest can only add to the user's walls.",
		// Not from the environment, which settings reads itself.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			cwd, err := os.Getwd()
			if err != nil {
				return err
			}
			program, err := p.settable(args)
			if err != nil {
				return err
			}
			list, err := p.Settings(cwd, program, cmd.Flags())
			if err != nil {
				return err
			}
			for i, s := range list {
				if strings.HasSuffix(s.Name, "-key") && s.Value != "" ||
					s.Name == "proxy-server" && strings.Contains(s.Value, "@") {
					list[i].Value = "(set)"
				}
			}
			if asJSON {
				return json.MarshalWrite(out, list, jsontext.Multiline(true))
			}
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			for _, s := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\n", s.Name, cmp.Or(s.Value, "-"), s.From)
			}
			return w.Flush()
		},
	}
	o.Register(OfService, cmd.Flags()) // and what the feature of shell commands adds
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}
