package program

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pwpipe/handlers"
	"pwpipe/internal/policy"
	"pwpipe/provider"
	"pwpipe/provider/service"
)

// serveOptions are the flags of serve. Where the service's seed names an
// environment variable, that holds too, below the flag and PWPIPE_'s.
type serveOptions struct {
	Options
	door     service.Door
	pool     handlers.PoolOptions
	addr     string
	public   string // address at which clients reach the service, "" for where it listens
	proxies  string
	allow    string
	hosts    string
	keys     string // file of keys, "" for none
	newKey   string // team to make a key for
	browsers browsersOptions
	ttlMS    int
	stop     time.Duration
	profile  string
	lendTabs bool
	drain    time.Duration
	check    string
	as       *Serving // what a feature serves; nil: the service
}

// SeedVariables are the environment variables of the seed, by flag.
var SeedVariables = map[string]string{
	"api-key": "API_KEY", "operator-key": "OPERATOR_KEY", "allow-host-regex": "ALLOW_HOST_REGEX", "allowed-hosts": "ALLOWED_HOSTS", "rate-limit-max": "RATE_LIMIT_MAX",
	"max-contexts": "MAX_CONTEXTS", "max-pages": "MAX_PAGES", "session-ttl-ms": "SESSION_TTL_MS", "max-body": "MAX_BODY",
}

// defaultAllow reaches programs on this machine, and nothing else.
const defaultAllow = `^https?://(localhost|127\.0\.0\.1)(:\d+)?/`

const serveHelp = `Serves the tools to many clients at once:

  POST /rpc            JSON-RPC 2.0, single, batch or notification
  GET  /openrpc.json   what /rpc takes
  GET  /ws             JSON-RPC 2.0 over WebSocket, with events
       /mcp            the Model Context Protocol (streamable HTTP)
  GET  /cdp/{session}  a session as a browser of its own, for Playwright's
                       connectOverCDP and the like
  POST /tools/{name}   one tool: {"args":[...]} or an object of parameters
  GET  /metrics        for Prometheus
  GET  /healthz        whether to restart it
  GET  /readyz         whether to send it requests
  POST /drain          with OPERATOR_KEY: open no sessions any more
  GET  /               for people: what runs, live

On SIGTERM it takes nothing new, finishes what runs, closes every session and
ends, within --stop-timeout and ` + "5 s for the browser" + `. Logs are JSON on stderr.`

const serveExample = `  pwpipe serve                                  on 127.0.0.1:3337
  PORT=8080 API_KEY=secret pwpipe serve         another port, with a key
  API_KEY=secret ALLOW_HOST_REGEX='^https://([a-z]+\.)?example\.com/' pwpipe serve --addr 0.0.0.0:3337`

// The limit of requests fits the number of sessions: 120 a minute are the seed's, for its
// eight contexts.
const (
	contextsOfSeed    = 8
	requestsOfContext = 60
)

// chosenInt is a number, and whether a flag, a variable or a file has set it.
type chosenInt struct {
	of     *int
	chosen bool
}

// Set implements [pflag.Value].
func (c *chosenInt) Set(text string) (err error) {
	*c.of, err = strconv.Atoi(text)
	c.chosen = true
	return err
}

// String implements [pflag.Value].
func (c *chosenInt) String() string { return strconv.Itoa(*c.of) }

// Type implements [pflag.Value].
func (c *chosenInt) Type() string { return "int" }

func (p *Program) serveCommand() *cobra.Command {
	o := serveOptions{Options: Options{Program: p}}
	rate := chosenInt{of: &o.door.RatePerMinute}
	cmd := command("serve", "Serve the tools over HTTP, WebSocket and MCP", takes(0, 0),
		func(cmd *cobra.Command, _ []string) error {
			if !rate.chosen && o.MaxContexts > contextsOfSeed {
				o.door.RatePerMinute = requestsOfContext * o.MaxContexts
			}
			switch {
			case o.newKey != "":
				return writeKey(cmd.OutOrStdout(), o.newKey)
			case o.check != "":
				return healthCheck(o)
			case o.drain > 0:
				return drain(o)
			}
			return runServe(o)
		})
	cmd.Long, cmd.Example = serveHelp, serveExample
	f := cmd.Flags()
	o.Register(ofServe, f)
	f.Lookup("log-level").DefValue = "info"
	o.logLevel = "info"
	f.StringVar(&o.addr, "addr", "", "address to listen on (default 127.0.0.1:$PORT, PORT being 3337); without a host it is loopback's")
	f.StringVar(&o.door.APIKey, "api-key", "", "key that clients must send; better set API_KEY, since other users can see flags")
	f.StringVar(&o.keys, "keys", "", "file of keys by team, in place of API_KEY; it is read again when it changes")
	f.StringVar(&o.newKey, "new-key", "", "print a new key, and the entry of the file of --keys for this team, and end")
	f.StringVar(&o.door.OperatorKey, "operator-key", "", "key of operators, who may drain the service (POST /drain); better set OPERATOR_KEY")
	f.StringVar(&o.allow, "allow-host-regex", defaultAllow, "URLs that may be reached, as a regular expression")
	f.StringVar(&o.hosts, "allowed-hosts", "", "host names by which clients may call this service, with commas")
	o.door.RatePerMinute = 120
	f.Var(&rate, "rate-limit-max",
		"maximum number of requests a minute from one address; 0 for no limit; "+
			"where --max-contexts is above 8, 60 for each of these")
	f.Int64Var(&o.door.MaxBody, "max-body", 512<<10, "longest request, in bytes")
	f.IntVar(&o.MaxContexts, "max-contexts", 8, "maximum number of browser contexts")
	o.browsers.register(f)
	f.StringVar(&o.pool.Name, "name", "",
		"name of this service among several; its sessions' ids contain it, so that a balancer can route them")
	f.StringVar(&o.public, "public-url", "", "address at which clients reach the service, such as "+
		"https://browsers.example.com; session.cdp answers addresses there")
	f.StringVar(&o.proxies, "trusted-proxies", "",
		"addresses or networks of balancers, with commas; their X-Forwarded-For names the client")
	f.IntVar(&o.ttlMS, "session-ttl-ms", 120_000, "idle time after which a session is closed, in milliseconds")
	f.DurationVar(&o.pool.Wait, "queue-timeout", 20*time.Second, "how long opening a session waits for room; 0 for not at all")
	f.DurationVar(&o.stop, "stop-timeout", 10*time.Second, "how long running calls may take to finish when the service stops")
	f.StringVar(&o.profile, "profile", provider.DefaultProfile, ProfileHelp)
	p.CompleteProfiles(cmd)
	o.Complete(cmd)
	f.BoolVar(&o.lendTabs, "lend-tabs", true, "with --cdp, lend the open tabs to sessions of /mcp, one at a time; other clients ask with session.create")
	f.StringVar(&o.TraceOnFailure, "trace-on-failure", "", "keep a Playwright trace of each session whose call failed, in this folder")
	f.StringVar(&o.check, "check", "", "ask the service at --addr for /healthz or /readyz, and exit with the status")
	_ = f.MarkHidden("check")
	f.DurationVar(&o.drain, "drain", 0, "drain the service at --addr, with its OPERATOR_KEY, and wait this long until it is empty")
	return cmd
}

// validate refuses what can't work or would not be safe.
func (o *serveOptions) validate() (addr string, err error) {
	if addr, o.door.Loopback, err = o.address(); err != nil {
		return "", err
	}
	if o.allow != "" {
		if o.Guard.Pattern, err = regexp.Compile(o.allow); err != nil {
			return "", fmt.Errorf("ALLOW_HOST_REGEX: not a regular expression: %w", err)
		}
	}
	if hosts := policy.Split(strings.ToLower(o.hosts)); len(hosts) > 0 {
		o.door.Hosts = hosts
	}
	if !o.lendTabs {
		o.pool.Tabs = handlers.TabsNever
	}
	switch {
	case !o.door.Loopback && o.door.APIKey == "" && o.keys == "":
		err = fmt.Errorf("%s can be reached from other machines, so it needs an API key: set API_KEY, or listen on 127.0.0.1", addr)
	case o.door.APIKey != "" && strings.TrimSpace(o.door.APIKey) != o.door.APIKey:
		err = fmt.Errorf("API_KEY: it begins or ends with white space")
	case o.door.OperatorKey != "" && (o.door.OperatorKey == o.door.APIKey || strings.TrimSpace(o.door.OperatorKey) != o.door.OperatorKey):
		err = fmt.Errorf("OPERATOR_KEY: expected a key other than API_KEY, without white space at its ends")
	case o.door.RatePerMinute < 0:
		err = fmt.Errorf("RATE_LIMIT_MAX: expected a number from 0, got %d", o.door.RatePerMinute)
	case o.door.MaxBody < 1:
		err = fmt.Errorf("--max-body: expected bytes above 0, got %d", o.door.MaxBody)
	case o.MaxContexts < 1:
		err = fmt.Errorf("MAX_CONTEXTS: expected a number from 1, got %d", o.MaxContexts)
	case o.ttlMS < 1:
		err = fmt.Errorf("SESSION_TTL_MS: expected milliseconds from 1, got %d", o.ttlMS)
	case o.pool.Wait < 0:
		err = fmt.Errorf("--queue-timeout: expected a time from 0, got %s", o.pool.Wait)
	case o.stop < 0:
		err = fmt.Errorf("--stop-timeout: expected a time from 0, got %s", o.stop)
	case o.UserDataDir != "" && o.MaxContexts > 1:
		err = fmt.Errorf("--user-data-dir has one context, and each session of the service needs its own; leave it out")
	}
	if err == nil && o.TraceOnFailure != "" {
		if err = os.MkdirAll(o.TraceOnFailure, 0o755); err != nil {
			err = fmt.Errorf("--trace-on-failure: %w", err)
		} else {
			err = handlers.CloseFolder(o.TraceOnFailure) // what it holds is of all sessions
		}
	}
	return addr, err
}

// CloseTime is how long sessions and browser may take to close.
const CloseTime = 5 * time.Second

// runServe serves until a signal comes.
func runServe(o serveOptions) (err error) {
	defer func() { err = o.Guard.HideError(err) }()
	addr, err := o.validate()
	if err != nil {
		return err
	}
	if err := o.readKeys(); err != nil {
		return err
	}
	browsers, others, err := o.browsers.read(&o)
	if err != nil {
		return err
	}
	if err := o.readPlace(); err != nil {
		return err
	}
	o.pool.Max, o.pool.TTL, o.pool.Browsers = o.MaxContexts, time.Duration(o.ttlMS)*time.Millisecond, browsers
	h, err := o.Open(Opening{
		LogJSON: o.as == nil,
		Adjust: func(cfg *handlers.Config) (err error) {
			if cfg.Source != nil && o.browsers.drivers > 0 {
				return errOwnDrivers
			}
			cfg.Drivers = o.browsers.shared(browsers.Most)
			o.pool.Browsers.Others, err = o.Program.attachedTo(*cfg, others)
			return err
		},
		Pool:    &o.pool,
		Profile: &o.profile,
	})
	if err != nil {
		return err
	}
	defer h.Close()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("can't listen on %s: %w", addr, err)
	}
	s := service.Service{Table: h.Table, Log: h.Log, Version: o.Program.Version, Name: o.pool.Name, Profile: o.profile,
		Check: h.Browser.Check, Grace: o.stop, Door: o.door}

	address := cmp.Or(o.public, "http://"+listener.Addr().String())
	ctx, stop := signal.NotifyContext(o.base(h, &s, listener, address), stopSignals...)
	defer stop()
	h.Log.Info("serving", "addr", listener.Addr().String(), "key", o.door.APIKey != "" || o.door.Keys != nil, "allow", o.allow, "max_contexts", o.MaxContexts, "session_ttl", o.pool.TTL, "version", o.Program.Version)
	if o.CDP != "" {
		h.Log.Info("attached to a browser that others use: session.create opens a separate context in it; with tabs: true the session gets the open tabs",
			"mcp_gets_the_tabs", o.lendTabs)
	}
	err = s.Serve(ctx, listener)
	stop() // a second signal ends us at once
	h.End(CloseTime)
	h.Log.Info("stopped")
	return err
}

// base is the context of all calls.
func (o *serveOptions) base(h *Running, s *service.Service, l net.Listener, address string) context.Context {
	if o.as != nil {
		s.Older, s.OneSession = true, o.as.OneSession
		o.as.Announce(l)
	}
	return o.onService(handlers.WithPool(context.Background(), h.Pool), h, s, l, address)
}
