package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pwpipe/handlers"
	"pwpipe/provider"
)

func newToolsCommand(out io.Writer) *cobra.Command {
	var profile, format, url, key string
	table := provider.NewTable(handlers.Tools()...)
	cmd := &cobra.Command{
		Use: "tools", Short: "List the tools", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkProfile(table, profile); err != nil {
				return err
			}
			text, err := provider.Describe(table.Profile(profile), format)
			if err != nil {
				return err
			}
			if format == "ilo-http" {
				text = provider.IloHTTP(table.Profile(profile), url, key)
			}
			_, err = io.WriteString(out, text)
			return err
		},
	}
	cmd.Flags().StringVar(&profile, "profile", "all", "set of tools: all, "+strings.Join(table.Profiles(), ", "))
	cmd.Flags().StringVar(&format, "format", "table", "one of "+strings.Join(provider.Formats(), ", "))
	cmd.Flags().StringVar(&url, "url", "http://127.0.0.1:3337", "of ilo-http: where the service is")
	cmd.Flags().StringVar(&key, "api-key", "", "of ilo-http: the service's API key")
	complete(cmd, "profile", append(table.Profiles(), "all"))
	complete(cmd, "format", provider.Formats())
	return cmd
}

// complete has the shell offer the values of a flag.
func complete(cmd *cobra.Command, flag string, values []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// checkProfile refuses a profile that no tool belongs to, and has its tools
// found first.
func checkProfile(table *provider.Table, profile string) error {
	if len(table.Profile(profile)) == 0 {
		return fmt.Errorf("--profile: no profile %q; there are all, %s", profile, strings.Join(table.Profiles(), ", "))
	}
	table.Prefer(profile)
	return nil
}
