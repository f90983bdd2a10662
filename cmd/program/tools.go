package program

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pwpipe/provider"
	"pwpipe/provider/toollist"
)

func (p *Program) toolsCommand(out io.Writer) *cobra.Command {
	var profile, format, url, key string
	cmd := command("tools", "List the tools", takes(0, 0), func(*cobra.Command, []string) error {
		table := p.Table()
		if err := checkProfile(table, profile); err != nil {
			return err
		}
		text, err := toollist.Describe(table.Profile(profile), format)
		if err != nil {
			return err
		}
		if format == "ilo-http" {
			text = toollist.IloHTTP(table.Profile(profile), url, key)
		}
		_, err = io.WriteString(out, text)
		return err
	})
	cmd.Flags().StringVar(&profile, "profile", "all", "sets of tools, separated by commas; a wrong one names those that there are")
	cmd.Flags().StringVar(&format, "format", "table", "one of "+strings.Join(toollist.Formats(), ", "))
	cmd.Flags().StringVar(&url, "url", "http://127.0.0.1:3337", "of ilo-http: where the service is")
	cmd.Flags().StringVar(&key, "api-key", "", "of ilo-http: the service's API key")
	registerWithout(cmd.Flags())
	p.CompleteProfiles(cmd)
	complete(cmd, "format", toollist.Formats())
	return cmd
}

// ProfileHelp documents --profile of the commands that serve MCP.
const ProfileHelp = "sets of tools that MCP lists, separated by commas; every tool can be called by name"

func complete(cmd *cobra.Command, flag string, values []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteProfiles offers profiles, also after a comma.
func (p *Program) CompleteProfiles(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("profile", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		var list []string
		for _, name := range append(p.Table().Profiles(), "all") {
			list = append(list, before+name)
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	})
}

func checkProfile(table *provider.Table, profiles string) error {
	if err := table.CheckProfile(profiles); err != nil {
		return fmt.Errorf("--profile: %w", err)
	}
	return nil
}

func command(
	use, short string, words cobra.PositionalArgs, run func(*cobra.Command, []string) error,
) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: words, RunE: run}
}
