package program

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"pwpipe/internal/shell/thin"
	"pwpipe/internal/text/suggest"
)

// Setting is the value of a flag of the user's service, and where it is from.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`
	file  bool   // a file has a part in the value
}

// filesOf are the flags whose values are files or folders, relative to the file of settings.
var filesOf = []string{"allow-dir", "client-certificates", "init-script", "logins", "output-dir", "secrets",
	"state-passphrase-file", "user-data-dir"}

// Settings are what holds in a folder: a flag, else a variable, else the nearest file, else
// the user's file, else the default. The nearest file can only add to the user's walls.
// flags are those that were given.
func (p *Program) Settings(cwd, program string, flags *pflag.FlagSet) (list []Setting, err error) {
	known, users, projects := p.FlagsOf(program), map[string]Setting{}, map[string]Setting{}
	if known == nil { // its feature is left out
		return nil, nil
	}
	for _, file := range thin.SettingsFiles(cwd) {
		into := projects
		if file == thin.UserSettings() {
			into = users
		}
		if err := readSettings(file, p.canBeSet(), into); err != nil {
			return nil, err
		}
	}
	known.VisitAll(func(f *pflag.Flag) {
		s := Setting{Name: f.Name, Value: f.DefValue, From: "default"}
		if from, ok := users[f.Name]; ok {
			s = from
		}
		if value, from, ok := ofVariable(program, f.Name); ok {
			s = Setting{Name: f.Name, Value: value, From: from}
		}
		if given := flags.Lookup(f.Name); given != nil && given.Changed {
			s = Setting{Name: f.Name, Value: given.Value.String(), From: "flag"}
		}
		if project, ok := projects[f.Name]; ok {
			s = withProject(s, project)
		}
		if s.From != "default" && s.From != "flag" && err == nil {
			if f.Value.Set(s.Value) != nil {
				err = badValue(s.From+": "+f.Name, f, s.Value)
			}
		}
		if !f.Hidden && f.Name != "help" && f.Name != "version" {
			list = append(list, s)
		}
	})
	if err == nil {
		err = checkBase(list, projects)
	}
	return list, err
}

// ofVariable is the value that the environment has for a flag. As in package policy, a list
// of hosts that is set and empty is a list, and those have a name without prefix too.
func ofVariable(program, flag string) (value, from string, ok bool) {
	name := envName(flag)
	value, ok = os.LookupEnv(name)
	if value != "" {
		return value, name, true
	}
	if short := SeedVariables[flag]; program == ofServe && short != "" && os.Getenv(short) != "" {
		return os.Getenv(short), short, true
	}
	if flag != allowedDomains && flag != blockedDomains {
		return "", "", false
	}
	short := strings.TrimPrefix(name, "PWPIPE_")
	if value, ok := os.LookupEnv(short); ok {
		return value, short, true
	}
	return "", name, ok
}

func readSettings(file string, known *pflag.FlagSet, into map[string]Setting) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w", file, fmt.Errorf(format, args...))
	}
	text, err := thin.ReadSettings(file)
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
			return bad("unknown setting %q; %s", name,
				cmp.Or(suggest.Hint(name, names), "`pwpipe config` lists them"))
		case !users && !slices.Contains(OfProjects, name):
			return bad("%s can be set by a flag, %s, or in %s: a project's file may not",
				name, envName(name), thin.UserSettings())
		}
		value, err := settingText(raw, slices.Contains(filesOf, name), filepath.Dir(file))
		if name == "browser" && value != filepath.Base(value) && !filepath.IsAbs(value) {
			value = filepath.Join(filepath.Dir(file), value)
		}
		if err == nil && !users {
			err = checkProjects(f, value)
		}
		if err == nil && name == "tools" && value == "" {
			err = errors.New("the list is empty")
		}
		if err != nil {
			return bad("%s: %w", name, err)
		}
		into[name] = Setting{name, value, file, true}
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

// ServiceEnvironment is the environment of a service that is started here with flags: what
// files set is in it as variables are.
func (p *Program) ServiceEnvironment(cwd string, flags []string) ([]string, error) {
	given := p.FlagsOf(OfShell)
	if err := given.Parse(flags); err != nil {
		return nil, plainFlag(err)
	}
	list, err := p.Settings(cwd, OfShell, given)
	if err != nil {
		return nil, err
	}
	env := os.Environ()
	for _, s := range list {
		if s.file {
			env = append(env, envName(s.Name)+"="+s.Value)
		}
	}
	return env, nil
}
