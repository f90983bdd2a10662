package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"pwpipe/provider"
)

const mcpHelp = `Serves MCP on stdin and stdout, and takes those flags with which Playwright MCP
(@playwright/mcp) is most often started: --headless, --isolated, --no-sandbox,
--executable-path, --cdp-endpoint, beside our own. The tools are ours: a call of
browser_click answers with the name that it has here.`

const mcpExample = `  {"mcpServers": {"playwright":
    {"command": "pwpipe", "args": ["mcp", "--headless", "--isolated"]}}}`

// peerFlags are flags of Playwright MCP that have other names here.
type peerFlags struct {
	headless, isolated, noSandbox bool
	path, cdp                     string
}

// peerRefused says why a flag of Playwright MCP is not taken.
var peerRefused = map[string]string{
	"caps":      "the tools are those of --profile",
	"config":    "its file can't be read; give flags, or a file pwpipe.json",
	"extension": "there is no extension; --cdp-endpoint chrome attaches to a Chrome that runs",
	"port":      "this serves stdin only; `pwpipe serve` serves MCP over HTTP",
}

func newMCPCommand(out *os.File) *cobra.Command {
	var o options
	var p peerFlags
	s := &provider.Stdio{Version: version, MaxLine: provider.DefaultMaxLine}
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve MCP on stdin, with common flags of Playwright MCP",
		Long: mcpHelp, Example: mcpExample, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := p.apply(cmd, &o); err != nil {
				return err
			}
			return runPipe(o, s, out, false)
		},
	}
	f := cmd.Flags()
	o.register(f)
	f.StringVar(&s.Profile, "profile", provider.DefaultProfile, profileHelp)
	f.BoolVar(&p.headless, "headless", true, "show no window")
	f.BoolVar(&p.isolated, "isolated", false, "keep nothing; so it is without --user-data-dir")
	f.BoolVar(&p.noSandbox, "no-sandbox", false, "as --browser-sandbox off")
	f.StringVar(&p.path, "executable-path", "", "path of the browser")
	f.StringVar(&p.cdp, "cdp-endpoint", "", "as --cdp")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		for name, why := range peerRefused {
			if err.Error() == "unknown flag: --"+name {
				return fmt.Errorf("--%s: %s", name, why)
			}
		}
		return flagError(cmd, err)
	})
	completeProfiles(cmd)
	o.complete(cmd)
	cmd.AddCommand(newMCPInstallCommand(out))
	return cmd
}

// apply sets our options from theirs.
func (p *peerFlags) apply(cmd *cobra.Command, o *options) error {
	if p.isolated && o.userDataDir != "" {
		return errors.New("--isolated keeps nothing: leave out --user-data-dir")
	}
	if cmd.Flags().Changed("headless") {
		o.headed = !p.headless
	}
	if p.noSandbox {
		o.sandbox = "off"
	}
	if p.path != "" {
		o.browser = p.path
	}
	if p.cdp != "" {
		o.cdp = p.cdp
	}
	return nil
}
