package playwrightmcp

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/features/playwrightmcp/mcptools"
	"pwpipe/handlers"
	"pwpipe/provider/service"
	"pwpipe/provider/wire"
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

type mcpServer struct {
	program.Options
	peer         mcptools.Options
	profiles     string // "" for Playwright MCP's tools
	capabilities []string
	secrets      map[string]string // of --secrets
	headless     string            // true, false, or "": windows where there is a display
	port, host   string            // "" for stdin
	hosts        []string
	notes        []string
}

// mcpCapabilities maps the values of --caps to the sets of tools that they add here; "" adds
// nothing, since the tools of core are always there.
var mcpCapabilities = map[string]string{"config": "config", "core": "", "core-navigation": "", "core-tabs": "",
	"core-input": "", "core-install": "",
	"devtools": "devtools", "network": "network", "pdf": "pdf", "storage": "storage",
	"testing": "testing", "tracing": "devtools", "vision": "vision"}

// modelImage is the default of --max-image: models scale larger pictures down themselves, or
// refuse them.
const modelImage = "1568"

// Command is the command mcp.
func Command(p *program.Program, out *os.File) *cobra.Command {
	given, s := peerValues{}, &mcpServer{Options: program.Options{Program: p}}
	cmd := program.Command("mcp", "Serve MCP with the flags and tools of Playwright MCP", program.Takes(0, 0),
		func(*cobra.Command, []string) error {
			if err := given.apply(s); err != nil { // ends with Playwright MCP's status
				fmt.Fprintln(os.Stderr, "pwpipe mcp:", err)
				return program.ExitStatus(1)
			}
			for _, note := range s.notes {
				fmt.Fprintln(os.Stderr, "pwpipe mcp:", note)
			}
			return s.run(out)
		})
	cmd.Long, cmd.Example = mcpHelp, mcpExample
	cmd.SetFlagErrorFunc(p.FlagError)
	cmd.Version = p.Version
	cmd.Flags().BoolP("version", "V", false, "print the version")
	for _, f := range peerFlags {
		f.register(cmd.Flags(), given)
	}
	ours := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.Options.Register("mcp", ours)
	_ = ours.Set("max-image", modelImage)
	ours.Lookup("max-image").DefValue, ours.Lookup("max-image").Changed = modelImage, false
	cmd.Flags().AddFlagSet(ours) // except for names that a flag of theirs has
	cmd.Flags().StringVar(&s.profiles, "profile", "", "list our tools: "+program.ProfileHelp)
	p.CompleteProfiles(cmd)
	s.Options.Complete(cmd)
	return cmd
}

// run serves stdin or, with --port, HTTP.
func (s *mcpServer) run(out *os.File) error {
	profile := s.listed()
	s.Prepare = s.prepare
	if s.port != "" {
		return s.serve(profile)
	}
	stdio := &wire.Stdio{Version: s.Program.Version, MaxLine: wire.DefaultMaxLine, Profile: profile}
	if s.PageTools && s.peer.Tools {
		s.peer.Offers = &mcptools.Offers{Redact: s.peer.Redact}
		stdio.Extend = s.peer.Offers.Extend
	}
	return s.Pipe(stdio, out)
}

// listed returns the profiles to list, with commas between.
func (s *mcpServer) listed() string {
	if s.profiles != "" {
		return s.profiles
	}
	s.peer.Tools = true
	s.peer.Capabilities = slices.Compact(slices.Sorted(slices.Values(s.capabilities)))
	profiles := []string{mcptools.Profile, "mcp"}
	for _, c := range s.peer.Capabilities {
		profiles = append(profiles, mcptools.Profile+"-"+c)
	}
	return strings.Join(profiles, ",")
}

// prepare applies the settings of Playwright MCP to a session.
func (s *mcpServer) prepare(session *handlers.Session) error {
	session.Options.Reconnects = s.peer.Tools
	if s.peer.Contexts.Isolated {
		session.Options.Tabs = handlers.TabsNever
	}
	session.Options.Context = func() (handlers.ContextOptions, error) { return s.peer.Contexts.ForContext(session) }
	if s.Guard.Secrets != nil {
		s.peer.Secret = s.Guard.Secrets.Value
	}
	mcptools.Use(session, &s.peer)
	return nil
}

// Bounds of a server of --port. A session ends with its client, or after peerIdle without a call.
const (
	peerBody     = 16 << 20
	peerContexts = 16
	peerIdle     = time.Hour
	peerStop     = 3 * time.Second
)

func setPort(s *mcpServer, v []string) error {
	if _, err := strconv.ParseUint(v[0], 10, 16); err != nil {
		return fmt.Errorf("expected a port from 0 to 65535, got %q", v[0])
	}
	s.port = v[0]
	return nil
}

// names are the names by which clients may call the server: those of --allowed-hosts, else the one
// that it listens at, or nil where that is an address for other machines.
func (s *mcpServer) names() (list []string) {
	for _, host := range s.hosts {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		list = append(list, host)
	}
	host := cmp.Or(s.host, "localhost")
	if ip := net.ParseIP(host); list == nil && (host == "localhost" || ip != nil && ip.IsLoopback()) {
		list = []string{host}
	}
	return list
}

// serve serves --port, with a session for each client, or one for all (see sharedSession).
func (s *mcpServer) serve(profile string) error {
	hosts := s.names()
	serving := program.Serving{
		Options:    &s.Options,
		Addr:       net.JoinHostPort(cmp.Or(s.host, "localhost"), s.port),
		Hosts:      strings.Join(hosts, ","),
		Door:       service.Door{APIKey: os.Getenv("API_KEY"), MaxBody: peerBody, Only: hosts != nil},
		OneSession: s.peer.Shared,
		Contexts:   peerContexts,
		Idle:       peerIdle, Stop: peerStop,
		Profile:  profile,
		Announce: s.announce,
	}
	return serving.Run()
}

func (s *mcpServer) announce(l net.Listener) {
	url := "http://" + l.Addr().String()
	if host := cmp.Or(s.host, "localhost"); host == "localhost" {
		_, port, _ := net.SplitHostPort(l.Addr().String())
		url = "http://localhost:" + port
	}
	fmt.Fprintf(os.Stderr, "Listening on %s\nPut this in your client config:\n%s\n"+
		"For older clients, use /sse in place of /mcp.\n", url,
		`{"mcpServers": {"playwright": {"url": "`+url+`/mcp"}}}`)
}
