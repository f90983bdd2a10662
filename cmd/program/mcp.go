package program

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

	"pwpipe/handlers"
	"pwpipe/handlers/playwrightmcp"
	"pwpipe/handlers/state"
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
	Options
	peer         playwrightmcp.Options
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
	"core-input": "", "core-install": "", "devtools": "devtools", "network": "network", "pdf": "pdf", "storage": "storage",
	"testing": "testing", "tracing": "devtools", "vision": "vision"}

// modelImage is the default of --max-image: models scale larger pictures down themselves, or
// refuse them.
const modelImage = "1568"

func (p *Program) mcpCommand(out *os.File) *cobra.Command {
	given, s := peerValues{}, &mcpServer{Options: Options{Program: p}}
	cmd := command("mcp", "Serve MCP with the flags and tools of Playwright MCP", takes(0, 0),
		func(*cobra.Command, []string) error {
			if err := given.apply(s); err != nil { // ends with Playwright MCP's status
				fmt.Fprintln(os.Stderr, "pwpipe mcp:", err)
				return exitStatus(1)
			}
			for _, note := range s.notes {
				fmt.Fprintln(os.Stderr, "pwpipe mcp:", note)
			}
			return s.run(out)
		})
	cmd.Long, cmd.Example = mcpHelp, mcpExample
	cmd.SetFlagErrorFunc(p.flagError)
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
	cmd.Flags().StringVar(&s.profiles, "profile", "", "list our tools: "+profileHelp)
	p.completeProfiles(cmd)
	s.Options.Complete(cmd)
	return cmd
}

// run serves stdin or, with --port, HTTP.
func (s *mcpServer) run(out *os.File) error {
	if s.port != "" {
		return s.serve()
	}
	stdio := &wire.Stdio{Version: s.Program.Version, MaxLine: wire.DefaultMaxLine, Profile: s.listed()}
	if s.PageTools && s.peer.Tools {
		s.peer.Offers = &playwrightmcp.Offers{}
		stdio.Extend = s.peer.Offers.Extend
	}
	return runPipe(s.Options, stdio, out, &s.peer)
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
func prepare(s *handlers.Session, o *Options, peer *playwrightmcp.Options) error {
	if peer != nil {
		s.Options.Reconnects = peer.Tools
		if peer.Contexts.Isolated {
			s.Options.Tabs = handlers.TabsNever
		}
		s.Options.Context = func() (handlers.ContextOptions, error) { return peer.Contexts.ForContext(s) }
		if o.Guard.Secrets != nil {
			peer.Secret = o.Guard.Secrets.Value
		}
		playwrightmcp.Use(s, peer)
	}
	return o.states().begin(s, state.States.Of(o.Config))
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

// serve serves --port, with a session for each client, or one for all (see sharedSession). With
// --user-data-dir the browser has one context, so one client at a time is served.
func (s *mcpServer) serve() error {
	if err := s.states().open(&s.Options); err != nil {
		return err
	}
	hosts := s.names()
	o := serveOptions{Options: s.Options, addr: net.JoinHostPort(cmp.Or(s.host, "localhost"), s.port),
		door: service.Door{APIKey: os.Getenv("API_KEY"), MaxBody: peerBody, Only: hosts != nil},
		pool: handlers.PoolOptions{Prepare: func(session *handlers.Session) error {
			return prepare(session, &s.Options, &s.peer)
		}},
		hosts: strings.Join(hosts, ","), ttlMS: int(peerIdle.Milliseconds()), stop: peerStop,
		profile: s.listed(), lendTabs: true, peer: s}
	o.browsers.register(pflag.NewFlagSet("", pflag.ContinueOnError)) // the defaults
	o.MaxContexts = peerContexts
	if o.UserDataDir != "" {
		o.MaxContexts = 1
	}
	return runServe(o)
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
