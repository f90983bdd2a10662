package program

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/internal/text/suggest"
)

// FlagError says in plain words what is wrong with a flag: which flag, what it was given and what
// it takes. Of an unknown flag it says which may have been meant.
func (p *Program) FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return plainFlag(err)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		err = fmt.Errorf("unknown flag: -%s", name)
	}
	if short := map[string]string{"s": "session", "q": "quiet"}[name]; short != "" {
		name = short
	}
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			all = append(all, "--"+f.Name)
		}
	})
	peer := suggest.Of("--" + name)
	ours := slices.DeleteFunc(slices.Clone(peer.Ours), func(flag string) bool { return !slices.Contains(all, flag) })
	if len(ours) > 0 {
		return hinted(err, "here it is "+strings.Join(ours, " or "))
	}
	return hinted(err, cmp.Or(peer.Why, p.leftOut(), suggest.Hint("--"+name, all)))
}

// plainFlag takes the words of Go and of its libraries out of an error about a flag.
func plainFlag(err error) error {
	var bad *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var form *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &bad):
		return badValue("--"+bad.GetFlag().Name, bad.GetFlag(), bad.GetValue())
	case errors.As(err, &missing):
		return noValue(missing.GetFlag())
	case errors.As(err, &form):
		return fmt.Errorf("expected a flag such as --timeout 30, got %q", form.GetSpecifiedFlag())
	}
	return err
}

// badValue says that a flag does not take a value. from is where the value was given.
func badValue(from string, f *pflag.Flag, value string) error {
	return fmt.Errorf("%s: expected %s, got %q; its help: %s", from, expected(f), value, f.Usage)
}

func noValue(f *pflag.Flag) error {
	return fmt.Errorf("--%s: expected %s, got nothing; its help: %s", f.Name, expected(f), f.Usage)
}

// expected says what a flag takes, with an example.
func expected(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "int", "int64":
		if f.DefValue != "0" {
			return "a whole number such as " + f.DefValue
		}
		return "a whole number such as 10"
	case "float64":
		return "a number such as 30"
	case "duration":
		return "a time such as 30s or 5m"
	case "stringSlice":
		return "names with commas between, such as a,b"
	}
	return "a value"
}

// many is no bound for [takes].
const many = -1

// takes bounds the number of words that a command takes.
func takes(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return wrongWords(cmd, "nothing")
		case most != many && len(args) > most:
			return wrongWords(cmd, fmt.Sprintf("%q", args[most]))
		}
		return nil
	}
}

// wrongWords says that a command got words that it does not take, or too few.
func wrongWords(cmd *cobra.Command, got string) error {
	_, words, _ := strings.Cut(cmd.Use, " ")
	if words == "" {
		words = "no more words"
	}
	return fmt.Errorf("%s: expected %s, got %s; usage: %s", cmd.CommandPath(), words, got, cmd.UseLine())
}
