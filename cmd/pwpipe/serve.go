package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pwpipe/handlers"
	"pwpipe/handlers/endpoint"
	"pwpipe/provider"
	"pwpipe/provider/service"
)

// serveOptions are the flags of serve. Where the service's seed names an
// environment variable, that holds too, below the flag and PWPIPE_'s.
type serveOptions struct {
	options
	addr        string
	apiKey      string
	operatorKey string
	allow       string
	hosts       string
	rate        int
	maxBody     int64
	maxContexts int
	browsers    browsersOptions
	place       placeOptions
	ttlMS       int
	queue       time.Duration
	stop        time.Duration
	profile     string
	lendTabs    bool
	traceDir    string
	drain       time.Duration
	check       string
	watch       bool
	peer        *mcpServer // serves as Playwright MCP does; nil: as the service
}

// seedVariables are the environment variables of the seed, by flag.
var seedVariables = map[string]string{
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

func newServeCommand() *cobra.Command {
	o := serveOptions{}
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the tools over HTTP, WebSocket and MCP", Long: serveHelp, Example: serveExample, Args: takes(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := fromSeedVariables(cmd); err != nil {
				return err
			}
			switch {
			case o.check != "":
				return healthCheck(o)
			case o.drain > 0:
				return drain(o)
			}
			return runServe(o)
		},
	}
	f := cmd.Flags()
	o.register(f)
	f.Lookup("log-level").DefValue = "info"
	o.logLevel = "info"
	f.StringVar(&o.addr, "addr", "", "address to listen on (default 127.0.0.1:$PORT, PORT being 3337); without a host it is loopback's")
	f.StringVar(&o.apiKey, "api-key", "", "key that clients must send; better set API_KEY, since other users can see flags")
	f.StringVar(&o.operatorKey, "operator-key", "", "key of operators, who may drain the service (POST /drain); better set OPERATOR_KEY")
	f.StringVar(&o.allow, "allow-host-regex", defaultAllow, "URLs that may be reached, as a regular expression")
	f.StringVar(&o.hosts, "allowed-hosts", "", "host names by which clients may call this service, with commas")
	f.IntVar(&o.rate, "rate-limit-max", 120, "maximum number of requests a minute from one address; 0 for no limit")
	f.Int64Var(&o.maxBody, "max-body", 512<<10, "longest request, in bytes")
	f.IntVar(&o.maxContexts, "max-contexts", 8, "maximum number of browser contexts")
	o.browsers.register(f)
	o.place.register(f)
	f.IntVar(&o.ttlMS, "session-ttl-ms", 120_000, "idle time after which a session is closed, in milliseconds")
	f.DurationVar(&o.queue, "queue-timeout", 20*time.Second, "how long opening a session waits for room; 0 for not at all")
	f.DurationVar(&o.stop, "stop-timeout", 10*time.Second, "how long running calls may take to finish when the service stops")
	f.StringVar(&o.profile, "profile", provider.DefaultProfile, profileHelp)
	completeProfiles(cmd)
	o.complete(cmd)
	f.BoolVar(&o.lendTabs, "lend-tabs", true, "with --cdp, lend the open tabs to sessions of /mcp, one at a time; other clients ask with session.create")
	f.StringVar(&o.traceDir, "trace-on-failure", "", "keep a Playwright trace of each session whose call failed, in this folder")
	f.BoolVar(&o.watch, "watch", false, "log the address of a page that shows every session to people; the key in it works once")
	f.StringVar(&o.check, "check", "", "ask the service at --addr for /healthz or /readyz, and exit with the status")
	_ = f.MarkHidden("check")
	f.DurationVar(&o.drain, "drain", 0, "drain the service at --addr, with its OPERATOR_KEY, and wait this long until it is empty")
	return cmd
}

// fromSeedVariables sets the flags that are not given from the variables of
// the seed.
func fromSeedVariables(cmd *cobra.Command) error {
	for flag, name := range seedVariables {
		value, ok := os.LookupEnv(name)
		if !ok || value == "" || cmd.Flags().Changed(flag) || os.Getenv(envName(flag)) != "" {
			continue
		}
		if f := cmd.Flags().Lookup(flag); f.Value.Set(value) != nil {
			return badValue(name, f, value)
		}
	}
	return nil
}

// tabs is who gets the open tabs of an attached browser, besides the sessions
// that ask for them.
func (o *serveOptions) tabs() handlers.Tabs {
	if o.lendTabs {
		return handlers.TabsIfFree
	}
	return handlers.TabsNever
}

// validate refuses what can't work or would not be safe.
func (o *serveOptions) validate() (addr string, loopback bool, err error) {
	if addr, loopback, err = o.address(); err != nil {
		return "", false, err
	}
	if o.allow != "" {
		if o.guard.Pattern, err = regexp.Compile(o.allow); err != nil {
			return "", false, fmt.Errorf("ALLOW_HOST_REGEX: not a regular expression: %w", err)
		}
	}
	switch {
	case !loopback && o.apiKey == "":
		err = fmt.Errorf("%s can be reached from other machines, so it needs an API key: set API_KEY, or listen on 127.0.0.1", addr)
	case o.apiKey != "" && strings.TrimSpace(o.apiKey) != o.apiKey:
		err = fmt.Errorf("API_KEY: it begins or ends with white space")
	case o.operatorKey != "" && (o.operatorKey == o.apiKey || strings.TrimSpace(o.operatorKey) != o.operatorKey):
		err = fmt.Errorf("OPERATOR_KEY: expected a key other than API_KEY, without white space at its ends")
	case o.rate < 0:
		err = fmt.Errorf("RATE_LIMIT_MAX: expected a number from 0, got %d", o.rate)
	case o.maxBody < 1:
		err = fmt.Errorf("--max-body: expected bytes above 0, got %d", o.maxBody)
	case o.maxContexts < 1:
		err = fmt.Errorf("MAX_CONTEXTS: expected a number from 1, got %d", o.maxContexts)
	case o.ttlMS < 1:
		err = fmt.Errorf("SESSION_TTL_MS: expected milliseconds from 1, got %d", o.ttlMS)
	case o.queue < 0:
		err = fmt.Errorf("--queue-timeout: expected a time from 0, got %s", o.queue)
	case o.stop < 0:
		err = fmt.Errorf("--stop-timeout: expected a time from 0, got %s", o.stop)
	case o.UserDataDir != "" && o.maxContexts > 1:
		err = fmt.Errorf("--user-data-dir has one context, and each session of the service needs its own; leave it out")
	}
	if err == nil && o.traceDir != "" {
		if err = os.MkdirAll(o.traceDir, 0o755); err != nil {
			err = fmt.Errorf("--trace-on-failure: %w", err)
		} else {
			err = handlers.CloseFolder(o.traceDir) // what it holds is of all sessions
		}
	}
	return addr, loopback, err
}

// closeTime is how long sessions and browser may take to close.
const closeTime = 5 * time.Second

// runServe serves until a signal comes.
func runServe(o serveOptions) (err error) {
	defer func() { err = o.guard.hideError(err) }()
	addr, loopback, err := o.validate()
	if err != nil {
		return err
	}
	browsers, others, err := o.browsers.read(&o)
	if err != nil {
		return err
	}
	place, err := o.place.read()
	if err != nil {
		return err
	}
	ttl := time.Duration(o.ttlMS) * time.Millisecond
	pool := &handlers.PoolOptions{Name: place.name, Max: o.maxContexts, TTL: ttl, Wait: o.queue, Tabs: o.tabs(), Browsers: browsers}
	log := jsonLog
	if o.peer != nil {
		log, pool.Prepare = nil, o.peer.prepare
	}
	h, err := o.open(plan{
		logTo: log,
		adjust: func(cfg *handlers.Config) (err error) {
			cfg.MaxContexts, cfg.TraceOnFailure, cfg.States = o.maxContexts, o.traceDir, o.peer.saved()
			cfg.Drivers = o.browsers.shared(browsers.Most)
			pool.Browsers.Others, err = attachedTo(*cfg, others)
			return err
		},
		pool:    pool,
		profile: &o.profile,
	})
	if err != nil {
		return err
	}
	defer h.close()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("can't listen on %s: %w", addr, err)
	}
	s := service.Service{Table: h.table, Log: h.log, Version: version, Name: place.name, Profile: o.profile, Check: h.browser.Check, Grace: o.stop,
		Door: service.Door{APIKey: o.apiKey, OperatorKey: o.operatorKey, RatePerMinute: o.rate, MaxBody: o.maxBody, Loopback: loopback, Proxies: place.proxies, Hosts: names(o.hosts)}}

	joins := &endpoint.Joins{}
	if h.table.Find("session.cdp") != nil {
		s.CDP, s.Join = endpoint.Serve, joins.Let
	}
	base := o.base(h, &s, listener, "http"+strings.TrimPrefix(place.base(listener), "ws"))
	ctx, stop := signal.NotifyContext(endpoint.WithBase(base, place.base(listener), joins), stopSignals...)
	defer stop()
	h.log.Info("serving", "addr", listener.Addr().String(), "key", o.apiKey != "", "allow", o.allow, "max_contexts", o.maxContexts, "session_ttl", ttl, "version", version)
	if o.CDP != "" {
		h.log.Info("attached to a browser that others use: session.create opens a separate context in it; with tabs: true the session gets the open tabs",
			"mcp_gets_the_tabs", o.lendTabs)
	}
	err = s.Serve(ctx, listener)
	stop() // a second signal ends us at once
	h.end(closeTime)
	h.log.Info("stopped")
	return err
}

// base is the context of all calls. What is at the root is for people, or for clients of
// Playwright MCP.
func (o *serveOptions) base(h *house, s *service.Service, l net.Listener, address string) context.Context {
	base := handlers.WithPool(context.Background(), h.pool)
	if o.peer == nil {
		return h.watchService(base, s, l, address, o.watch)
	}
	s.Older, s.OneSession = true, o.peer.peer.Shared
	o.peer.announce(l)
	return base
}

// readable writes times as people do; JSON has nanoseconds otherwise.
func readable(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().Round(time.Microsecond).String())
	}
	return a
}

func names(list string) []string {
	var out []string
	for _, n := range strings.Split(list, ",") {
		if n = strings.ToLower(strings.TrimSpace(n)); n != "" {
			out = append(out, n)
		}
	}
	return out
}
