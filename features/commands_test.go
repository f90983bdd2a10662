package features_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/features"
	"pwpipe/internal/pipetest"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
	"pwpipe/provider/service"
)

// whole is pwpipe with all features.
func whole() *program.Program {
	return &program.Program{Version: "0.1.0-dev", Features: features.All()}
}

// table has all tools.
func table() *provider.Table {
	return provider.NewTable(whole().Tools(), provider.TableOptions{})
}

// variable is the name of a flag's variable.
func variable(flag string) string {
	return "PWPIPE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// TestCommands: testdata/commands.txt has every command with its help, and every flag with
// its help, its default and its variable.
func TestCommands(t *testing.T) {
	var text strings.Builder
	describeCommand(&text, whole().CommandLine(os.Stdout))
	for _, word := range service.Commands {
		help, _, _ := pipetest.Run(t, "", "help", word)
		fmt.Fprintf(&text, "== pwpipe %s (in an open session)\n%s\n", word, help)
	}
	pipetest.Golden(t, "testdata/commands.txt", text.String())
}

func describeCommand(text *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(text, "== %s\n%s\n", c.UseLine(), c.Short)
	if c.Hidden {
		text.WriteString("(hidden)\n")
	}
	if len(c.Aliases) > 0 {
		fmt.Fprintf(text, "also: %s\n", strings.Join(c.Aliases, ", "))
	}
	for _, more := range []string{c.Long, c.Example} {
		if more != "" {
			fmt.Fprintf(text, "\n%s\n\n", more)
		}
	}
	c.Flags().VisitAll(func(f *pflag.Flag) { describeFlag(text, c, f) })
	text.WriteByte('\n')
	for _, sub := range c.Commands() {
		describeCommand(text, sub)
	}
}

func describeFlag(text *strings.Builder, c *cobra.Command, f *pflag.Flag) {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	notes := []string{f.Value.Type()}
	if f.DefValue != "" {
		notes = append(notes, "default "+f.DefValue)
	}
	if f.Hidden {
		notes = append(notes, "hidden")
	}
	if f.Deprecated != "" {
		notes = append(notes, "deprecated: "+f.Deprecated)
	}
	if short := program.SeedVariables[f.Name]; short != "" && c.Name() == program.OfServe {
		notes = append(notes, "variable "+short+" too")
	}
	fmt.Fprintf(text, "%s (%s): %s\n", name, strings.Join(notes, "; "), f.Usage)
}

// TestWhoSetsAFlag: testdata/settings.txt says of every flag of every command who sets it
// where all can that may, and who does once the first of them does not, and so on.
func TestWhoSetsAFlag(t *testing.T) {
	project, home := t.TempDir(), t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, home)
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "PWPIPE_") && name != "PWPIPE_CACHE" {
			t.Setenv(name, "") // which does not set a flag
		}
	}
	user := thin.UserSettings()
	if err := os.MkdirAll(filepath.Dir(user), 0o700); err != nil {
		t.Fatal(err)
	}
	s := sources{t: t, project: filepath.Join(project, thin.SettingsName), user: user}
	var text strings.Builder
	for _, command := range program.Programs {
		ways := map[string][]string{}
		whole().FlagsOf(command).VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && f.Name != "version" {
				ways[f.Name] = waysToSet(command, f.Name)
			}
		})
		// With secrets, a project's file may have no base URL.
		secrets := map[string][]string{"secrets": ways["secrets"]}
		delete(ways, "secrets")
		orders := s.orders(command, ways)
		maps.Copy(orders, s.orders(command, secrets))
		fmt.Fprintf(&text, "== %s\n", command)
		for _, name := range slices.Sorted(maps.Keys(orders)) {
			fmt.Fprintf(&text, "%s: %s\n", name, strings.Join(orders[name], " > "))
		}
	}
	pipetest.Golden(t, "testdata/settings.txt", text.String())
}

// waysToSet are the ways in which a flag of a command can be set.
func waysToSet(command, name string) []string {
	ways := []string{"flag", variable(name), "the user's file"}
	if short := program.SeedVariables[name]; short != "" && command == program.OfServe {
		ways = append(ways, short)
	}
	if name == "allowed-domains" || name == "blocked-domains" {
		ways = append(ways, strings.TrimPrefix(variable(name), "PWPIPE_"))
	}
	if slices.Contains(program.OfProjects, name) {
		ways = append(ways, "the nearest file")
	}
	return ways
}

// sources sets flags of a command in several ways.
type sources struct {
	t             *testing.T
	project, user string // files of settings
}

// orders are who sets each flag, the strongest first. One who is beside another adds to it.
func (s sources) orders(command string, ways map[string][]string) map[string][]string {
	s.t.Helper()
	orders, left := map[string][]string{}, maps.Clone(ways)
	for len(left) > 0 {
		for name, won := range s.winners(command, left) {
			if _, ok := left[name]; !ok {
				continue
			}
			orders[name] = append(orders[name], won)
			first, _, _ := strings.Cut(won, " and ")
			i := slices.Index(left[name], first)
			if i < 0 {
				delete(left, name)
			} else {
				left[name] = slices.Delete(slices.Clone(left[name]), i, i+1)
			}
		}
	}
	return orders
}

// winners sets flags in some ways, and says who has set each.
func (s sources) winners(command string, ways map[string][]string) map[string]string {
	s.t.Helper()
	values := map[string]string{"bool": "true", "duration": "3s", "string": "x", "stringArray": "x", "stringSlice": "x", "hosts": "x"}
	flags, project, user := whole().FlagsOf(command), map[string]string{}, map[string]string{}
	for name, its := range ways {
		value := cmp.Or(values[flags.Lookup(name).Value.Type()], "3")
		for _, way := range its {
			switch way {
			case "flag":
				if err := flags.Set(name, value); err != nil {
					s.t.Fatalf("--%s %s: %v", name, value, err)
				}
			case "the user's file":
				user[name] = value
			case "the nearest file":
				project[name] = value
			default:
				_ = os.Setenv(way, value)
				defer os.Unsetenv(way)
			}
		}
	}
	for path, members := range map[string]map[string]string{s.project: project, s.user: user} {
		text, err := json.Marshal(members)
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	list, err := whole().Settings(filepath.Dir(s.project), command, flags)
	if err != nil {
		s.t.Fatal(err)
	}
	won := map[string]string{}
	for _, had := range list {
		won[had.Name] = strings.NewReplacer(s.project, "the nearest file", s.user, "the user's file").Replace(had.From)
	}
	return won
}
