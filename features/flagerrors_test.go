package features_test

import (
	"os"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/internal/pipetest"
)

// goWords are words of Go and of its libraries that say nothing to a person.
var goWords = []string{"strconv", "parsing", "invalid", "arg(s)", "time:", "parse error", "shorthand", "needs an argument"}

// TestBadValuesOfFlags: of each flag of each command, the error says what it was given and what
// it takes, wherever the value comes from.
func TestBadValuesOfFlags(t *testing.T) {
	t.Parallel()
	root := whole().CommandLine(os.Stdout)
	commands := []*cobra.Command{root}
	for i := 0; i < len(commands); i++ {
		commands = append(commands, commands[i].Commands()...)
	}
	flags := 0
	for _, cmd := range commands {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			const bad = `x"y`
			errs := []error{}
			if err := cmd.ParseFlags([]string{"--" + f.Name + "=" + bad}); err != nil {
				flags++
				errs = append(errs, cmd.FlagErrorFunc()(cmd, err))
			}
			if err := cmd.ParseFlags([]string{"--" + f.Name}); err != nil {
				errs = append(errs, cmd.FlagErrorFunc()(cmd, err))
			}
			for _, err := range errs {
				pipetest.Has(t, err.Error(), ": expected ", ", got ", f.Usage)
				pipetest.Lacks(t, err.Error(), goWords...)
			}
		})
	}
	if flags < 50 {
		t.Errorf("%d flags refuse a value", flags)
	}
}
