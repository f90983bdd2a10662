package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/internal/shell/thin"
	"pwpipe/internal/text/suggest"
)

// setting is the value of a flag of the user's service, and where it is from.
type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`
}

// ofProjects are the flags that a file in a project's folder may set. It may have come
// with somebody else's project: so nothing in it starts a program of its choice, opens
// the browser to what is kept from it, or gives away files.
var ofProjects = []string{"allowed-domains", "base-url", "block-private", "blocked-domains", "content-boundaries",
	"frame-rate", "headed", "idle", "lang", "log-level", "max-pages", "no-execute", "site", "timeout", "tools"}

// filesOf are the flags whose values are files or folders, relative to the file of settings.
var filesOf = []string{"allow-dir", "output-dir", "secrets", "user-data-dir"}

// serviceFlags are the flags of the user's service.
func serviceFlags() *pflag.FlagSet { return newServiceCommand().Flags() }

// settings are what holds in a folder: a flag, else a variable, else the nearest file, else
// the user's file, else the default. flags are those that were given.
func settings(cwd string, flags *pflag.FlagSet) (list []setting, err error) {
	known, files := serviceFlags(), map[string]setting{}
	for _, file := range thin.SettingsFiles(cwd) {
		if err := readSettings(file, known, files); err != nil {
			return nil, err
		}
	}
	known.VisitAll(func(f *pflag.Flag) {
		s := setting{f.Name, f.DefValue, "default"}
		if from, ok := files[f.Name]; ok {
			s = from
		}
		if value := os.Getenv(envName(f.Name)); value != "" {
			s.Value, s.From = value, envName(f.Name)
		}
		if given := flags.Lookup(f.Name); given != nil && given.Changed {
			s.Value, s.From = given.Value.String(), "flag"
		}
		if s.From != "default" && s.From != "flag" && err == nil {
			if serr := f.Value.Set(s.Value); serr != nil {
				err = fmt.Errorf("%s: %s: %w", s.From, f.Name, serr)
			}
		}
		if !f.Hidden && f.Name != "help" {
			list = append(list, s)
		}
	})
	return list, err
}

// readSettings adds the settings of a file to those that stronger files have.
func readSettings(file string, known *pflag.FlagSet, into map[string]setting) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w", file, fmt.Errorf(format, args...))
	}
	if err := ownFile(file); err != nil {
		return bad("%w, so its settings are not taken", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(text, &members); err != nil {
		return bad("expected a JSON object of settings: %w", err)
	}
	users := file == thin.UserSettings()
	for name, raw := range members {
		f := known.Lookup(name)
		switch {
		case f == nil || f.Hidden || name == "help":
			var names []string
			known.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
			if meant := suggest.Hint(name, names); meant != "" {
				return bad("unknown setting %q; %s", name, meant)
			}
			return bad("unknown setting %q; `pwpipe config` lists them", name)
		case !users && !slices.Contains(ofProjects, name):
			return bad("%s can be set by a flag, %s, or in %s: a project's file may not",
				name, envName(name), thin.UserSettings())
		}
		value, err := settingText(raw, slices.Contains(filesOf, name), filepath.Dir(file))
		if err != nil {
			return bad("%s: %w", name, err)
		}
		if _, ok := into[name]; !ok {
			into[name] = setting{name, value, file}
		}
	}
	return nil
}

// settingText is a setting's value as a flag takes it.
func settingText(raw jsontext.Value, isFile bool, dir string) (string, error) {
	var list []string
	switch raw.Kind() {
	case 't', 'f', '0':
		return string(raw), nil
	case '"':
		list = []string{""}
		if err := json.Unmarshal(raw, &list[0]); err != nil {
			return "", err
		}
	case '[':
		if err := json.Unmarshal(raw, &list); err != nil {
			return "", errors.New("expected an array of texts")
		}
	default:
		return "", errors.New("expected a text, a number, true, false or an array of texts")
	}
	for i, value := range list {
		if isFile && value != "" && !filepath.IsAbs(value) {
			list[i] = filepath.Join(dir, value)
		}
	}
	if raw.Kind() == '"' {
		return list[0], nil
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(list); err != nil {
		return "", err
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// serviceEnvironment is the environment of a service that is started here: what files set
// is in it as variables are.
func serviceEnvironment(cwd string) ([]string, error) {
	list, err := settings(cwd, &pflag.FlagSet{})
	if err != nil {
		return nil, err
	}
	env := os.Environ()
	for _, s := range list {
		if filepath.IsAbs(s.From) {
			env = append(env, envName(s.Name)+"="+s.Value)
		}
	}
	return env, nil
}

func newConfigCommand(out io.Writer) *cobra.Command {
	o, asJSON := userService{}, false
	cmd := &cobra.Command{
		Use: "config", Short: "Print the settings of shell commands, and where each is from", Args: cobra.NoArgs,
		Long: "Prints what holds in this folder: a flag, else a variable PWPIPE_…, else " + thin.SettingsName +
			" of the nearest\nfolder up, else the user's, else the default.",
		// Not from the environment, which settings reads itself.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, _ []string) error {
			cwd, err := os.Getwd()
			if err != nil {
				return err
			}
			list, err := settings(cwd, cmd.Flags())
			if err != nil {
				return err
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
	o.register(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}
