package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/handlers/playwrightmcp"
	"pwpipe/provider"
)

const mcpHelp = `Serves MCP on stdin and stdout, or with --port over HTTP, as Playwright MCP
(@playwright/mcp) does: with its flags, its variables PLAYWRIGHT_MCP_..., its --config
file and its tools. A flag wins over a variable, and a variable over the file. Our own
flags are accepted too.

A flag that has no meaning here is accepted, with a line on stderr. A flag that asks for
something impossible is refused with the reason. --profile agent lists our tools in place
of Playwright MCP's.`

const mcpExample = `  {"mcpServers": {"playwright": {"command": "pwpipe", "args": ["mcp", "--headless"]}}}
  pwpipe mcp --headless --caps=vision,pdf --viewport-size=1280x720
  pwpipe mcp --config playwright-mcp.json
  pwpipe mcp --profile agent`

// mcpServer holds the settings of `pwpipe mcp`.
type mcpServer struct {
	options
	states       stateOptions
	peer         playwrightmcp.Options
	profiles     string // "" for Playwright MCP's tools
	capabilities []string
	secrets      map[string]string // of --secrets
	headless     string            // true, false, or "": windows where there is a display
	isolated     bool              // --isolated was given
	port, host   string            // "" for stdin
	hosts        []string
	notes        []string
}

// mcpCapabilities maps the values of --caps to the sets of tools that they add here; "" adds
// nothing, since the tools of core are always there.
var mcpCapabilities = map[string]string{"config": "config", "core": "", "core-navigation": "", "core-tabs": "",
	"core-input": "", "core-install": "", "devtools": "devtools", "network": "network", "pdf": "pdf", "storage": "storage",
	"testing": "testing", "tracing": "devtools", "vision": "vision"}

// modelImage is the default of --max-image: models scale larger pictures down themselves, or
// refuse them. It is Playwright MCP's bound.
const modelImage = "1568"

func newMCPCommand(out *os.File) *cobra.Command {
	given, s := peerValues{}, &mcpServer{}
	cmd := command("mcp", "Serve MCP with the flags and tools of Playwright MCP", takes(0, 0),
		func(*cobra.Command, []string) error {
			if err := given.apply(s); err != nil {
				return err
			}
			for _, note := range s.notes {
				fmt.Fprintln(os.Stderr, "pwpipe mcp:", note)
			}
			return s.run(out)
		})
	cmd.Long, cmd.Example = mcpHelp, mcpExample
	cmd.SetFlagErrorFunc(flagError)
	cmd.Version = version
	cmd.Flags().BoolP("version", "V", false, "print the version")
	for _, f := range peerFlags {
		f.register(cmd.Flags(), given)
	}
	ours := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.options.register(ours)
	s.states.register(ours)
	_ = ours.Set("max-image", modelImage)
	ours.Lookup("max-image").DefValue, ours.Lookup("max-image").Changed = modelImage, false
	cmd.Flags().AddFlagSet(ours) // except for names that a flag of theirs has
	cmd.Flags().StringVar(&s.profiles, "profile", "", "list our tools: "+profileHelp)
	completeProfiles(cmd)
	s.options.complete(cmd)
	cmd.AddCommand(newMCPInstallCommand(out))
	return cmd
}

// run serves stdin or, with --port, HTTP.
func (s *mcpServer) run(out *os.File) error {
	if s.port != "" {
		return s.serve()
	}
	stdio := &provider.Stdio{Version: version, MaxLine: provider.DefaultMaxLine, Profile: s.listed()}
	return runPipe(s.options, s.states, stdio, out, false, &s.peer)
}

// listed returns the profiles to list, with commas between.
func (s *mcpServer) listed() string {
	if s.profiles != "" {
		return s.profiles
	}
	s.peer.Tools = true
	s.peer.Capabilities = slices.Compact(slices.Sorted(slices.Values(s.capabilities)))
	profiles := []string{playwrightmcp.Profile, "mcp"}
	for _, c := range s.peer.Capabilities {
		profiles = append(profiles, playwrightmcp.Profile+"-"+c)
	}
	return strings.Join(profiles, ",")
}

// prepare has a session begin with the state that was asked for. It applies the settings of
// Playwright MCP if peer is not nil.
func prepare(s *handlers.Session, o *options, states *stateOptions, peer *playwrightmcp.Options) error {
	if peer != nil {
		s.Options.Reconnects = peer.Tools
		s.Options.Context = func() (handlers.ContextOptions, error) { return peer.Contexts.ForContext(s) }
		if o.guard.secrets != nil {
			peer.Secret = o.guard.secrets.Value
		}
		playwrightmcp.Use(s, peer)
	}
	return states.begin(s)
}
