package program

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/internal/policy"
	"pwpipe/internal/shell/thin"
)

// withoutFlag is the flag that leaves features out. It is a wall, so whoever names one adds to
// the others: the command line, the variable, the files of settings.
const withoutFlag = "without"

const withoutHelp = "leave these features out, with commas between, and what needs them; `pwpipe features` lists them"

// registerWithout adds the flag to a command. Its value was read before there were commands.
func registerWithout(f *pflag.FlagSet) { f.StringSlice(withoutFlag, nil, withoutHelp) }

// withoutOf answers the features that a run leaves out: its words, its environment and the files
// of settings name them. A file that can't be read is left to the command, which says so.
func withoutOf(words []string) (names []string, err error) {
	for i := 0; i < len(words) && words[i] != "--"; i++ {
		name, value, given := strings.Cut(words[i], "=")
		if name != "--"+withoutFlag {
			continue
		}
		if !given {
			if i++; i == len(words) {
				return nil, fmt.Errorf("--%s: expected names with commas between, such as a,b, got nothing", withoutFlag)
			}
			value = words[i]
		}
		names = append(names, policy.Split(value)...)
	}
	names = append(names, policy.Split(os.Getenv(envName(withoutFlag)))...)
	cwd, err := os.Getwd()
	if err != nil {
		return names, nil
	}
	for _, file := range thin.SettingsFiles(cwd) {
		var members map[string]jsontext.Value
		text, err := thin.ReadSettings(file)
		if err != nil || json.Unmarshal(text, &members) != nil || members[withoutFlag] == nil {
			continue
		}
		if value, err := settingText(members[withoutFlag], false, ""); err == nil {
			names = append(names, policy.Split(value)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (p *Program) featuresCommand(out io.Writer) *cobra.Command {
	asJSON := false
	cmd := command("features", "List the features, which --without leaves out", takes(0, 0),
		func(*cobra.Command, []string) error { return p.listFeatures(out, asJSON) })
	cmd.Long = "Lists the features that this program has: the name that --without takes, what it is for, and\n" +
		"what it needs. Without a feature its tools, commands, flags and addresses are unknown."
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	registerWithout(cmd.Flags())
	return cmd
}

func (p *Program) listFeatures(out io.Writer, asJSON bool) error {
	type listed struct {
		Name  string   `json:"name"`
		Doc   string   `json:"doc"`
		Needs []string `json:"needs,omitempty"`
	}
	list := []listed{}
	for _, f := range p.Features {
		list = append(list, listed{f.Name, f.Doc, f.Needs})
	}
	if asJSON {
		return json.NewEncoder(out).Encode(list)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range list {
		needs := ""
		if len(f.Needs) > 0 {
			needs = "needs " + strings.Join(f.Needs, ", ")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, f.Doc, needs)
	}
	return w.Flush()
}
