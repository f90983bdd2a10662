// Package service serves the tools over HTTP to many clients at once: JSON-RPC
// 2.0 by POST and WebSocket, MCP, and one URL a tool. Each client works in
// sessions of its own, and behind one door.
package service

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
	"pwpipe/provider/toollist"
)

// Service serves the tools over HTTP:
//
//	POST /rpc            JSON-RPC 2.0
//	GET  /openrpc.json   what /rpc takes
//	GET  /ws             JSON-RPC 2.0 over WebSocket, with events
//	GET  /cdp/{session}  a session as a browser of its own, over WebSocket
//	     /mcp            the Model Context Protocol, streamable HTTP
//	POST /tools/{name}   one tool, for ilo's HTTP provider
//	GET  /metrics        Prometheus
//	GET  /healthz        whether to restart it
//	GET  /readyz         whether to send it requests
//	POST /drain          stop opening sessions, with the operator's key
//	GET  /               where people look at what runs
type Service struct {
	Table   *provider.Table // it has the sessions too
	Door    Door
	Log     *slog.Logger // nil: none
	Name    string       // the service's name among several, which ids contain; "" for none
	Version string
	Profile string // the profiles that MCP lists
	// Older serves MCP at / too, in place of the page for people.
	Older bool
	// OneSession gives all MCP clients one session, which ends by being idle. Otherwise each
	// has its own.
	OneSession bool
	// Check reports whether the browser works; nil means yes.
	Check func(context.Context) error
	// CDP serves the session in ctx as a browser of its own to a DevTools client; nil:
	// not served. It has not answered if it returns an error.
	CDP func(ctx context.Context, w http.ResponseWriter, r *http.Request) error
	// Join reports whether a token admits a client to a session by CDP without the API
	// key; nil: never.
	Join func(session, token string) bool
	// Watch shows one person what runs; nil: there is no page for people.
	Watch func(ctx context.Context, v provider.Viewer)
	// Once is the page's one-time key, which sees all sessions; "" for none.
	Once string
	// Shell serves shell commands; nil: there are none.
	Shell *Shell
	// Grace is how long running calls may take to finish at the end.
	Grace time.Duration
}

// server is one run of a Service.
type server struct {
	Service
	sessions provider.Sessions
	base     context.Context // of everything that outlives a request
	stop     context.CancelFunc
	orders   orders
	metrics  *metrics
	rate     byTeam
	guesses  *guesses
	shared   sharedSessions
	health   health
	sockets  sync.WaitGroup
	draining chan struct{}
	emptying atomic.Bool // no further session opens
}

// Time-outs against clients that are slow on purpose. A running request may take as
// long as its tool's deadline.
const (
	readHeaderTime = 5 * time.Second
	readTime       = 30 * time.Second // for the whole request
	writeTime      = 30 * time.Second // for the answer, once there is one
	idleTime       = 2 * time.Minute  // between requests of a connection
)

// Serve serves a listener until ctx ends. Then it accepts nothing new, finishes running
// calls, and returns within the grace, by force if necessary. Contexts of calls have
// ctx's values.
func (s Service) Serve(ctx context.Context, l net.Listener) error {
	r := newServer(ctx, s)
	web := &http.Server{
		Handler: r.handler(), ReadHeaderTimeout: readHeaderTime, ReadTimeout: readTime, IdleTimeout: idleTime,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(r.Log.Handler(), slog.LevelDebug),
		ConnContext:    named,
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Grace)
	defer cancel()
	r.drain(end)
	if l, ok := l.(interface{ Leave(context.Context) }); ok {
		l.Leave(end)
	}
	if err := web.Shutdown(end); err != nil {
		_ = web.Close()
	}
	return nil
}

func newServer(ctx context.Context, s Service) *server {
	r := &server{Service: s, sessions: s.Table.Options().Sessions, guesses: newGuesses(),
		draining: make(chan struct{})}
	r.base, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	if r.Log == nil {
		r.Log = slog.New(slog.DiscardHandler)
	}
	r.rate.of = newLimiter(s.Door.RatePerMinute)
	if s.Door.Keys != nil {
		go s.Door.Keys.watch(r.base, r.Log)
	}
	r.metrics = newMetrics(r)
	r.Table.OnCall(r.metrics.observer(r.Table))
	return r
}

// handler is the service as an HTTP handler.
func (s *server) handler() http.Handler {
	r := chi.NewRouter()
	r.Use(s.Door.behind, sealed, requestID, s.access, s.recoverer)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) {
		writeError(w, errNothing(r.URL.Path).
			WithHint("pwpipe serves GET / for people, POST /rpc, GET /openrpc.json, GET /ws, GET /cdp/{session}, /mcp, /sse, POST /tools/{name}, GET /metrics, GET /healthz, GET /readyz"))
	})
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		writeStatus(w, http.StatusMethodNotAllowed, provider.Errorf(provider.KindInvalid, "%s is not for %s", clipPath(r.URL.Path), r.Method))
	})
	r.Get("/healthz", s.healthz)
	r.Get("/readyz", s.readyz)
	r.Group(func(r chi.Router) {
		r.Use(s.Door.origin, s.Door.authenticate(s.guesses, asClient, newLimiter(s.Door.RatePerMinute)), s.limited, s.Door.body)
		r.Post("/rpc", s.rpc)
		r.Get("/openrpc.json", func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, http.StatusOK, toollist.OpenRPC(s.Table.Profile("all")))
		})
		r.Get("/ws", s.websocket)
		s.cdpRoutes(r, "/cdp/{session}")
		s.jsonRoutes(r, "")
		s.mcpRoutes(r)
		r.Post("/tools/{name}", s.tool)
		if s.Shell != nil {
			s.Shell.begin(s)
			r.Post(thin.Path, s.Shell.command)
		}
		if s.Door.Keys == nil {
			r.Method(http.MethodGet, "/metrics", s.counts())
		}
	})
	r.Group(func(r chi.Router) {
		r.Use(s.Door.origin, s.joins(newLimiter(wrongKeys)), s.limited)
		s.cdpRoutes(r, joinPath)
	})
	if s.Door.OperatorKey != "" {
		r.Group(s.drains)
	}
	if s.Watch != nil {
		page := &Page{Door: s.Door, Watch: s.Watch, Once: s.Once, Keyless: true, guesses: s.guesses}
		page.begin(s.base, &s.sockets)
		r.Group(page.routes)
	}
	if s.Check != nil {
		go s.health.watch(s.base, s.Check)
	}
	return r
}

// counts is /metrics. They count every team, so with teams only the operator may ask.
func (s *server) counts() http.Handler {
	return promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{})
}

// limited counts a request for its team, or for its address.
func (s *server) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.rate.limiterOf(r, s.Door.Keys).middleware(next).ServeHTTP(w, r)
	})
}

// drain waits for running calls, then ends sockets and event streams, which would never
// end.
func (s *server) drain(ctx context.Context) {
	close(s.draining)
	s.closeSessions() // a waiting session.create would delay the end
	if !await(ctx, 10*time.Millisecond, func() bool { return s.orders.depth() == 0 }) {
		s.Log.Warn("requests still ran when the stop timeout was over", "count", s.orders.depth())
	}
	s.stop()
	gone := make(chan struct{})
	go func() { s.sockets.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-ctx.Done():
	}
}

// stopping reports whether the service accepts no more calls.
func (s *server) stopping() bool {
	select {
	case <-s.draining:
		return true
	default:
		return false
	}
}

// sessionMode is the meaning of a call without a session_id on a surface.
type sessionMode func(ctx context.Context) (id string, err error)

// needSession is the mode of /rpc and /ws: a call must name a session somewhere.
func needSession(context.Context) (string, error) {
	return "", provider.Errorf(provider.KindArgs, `missing parameter "session_id" (a string)`).WithHint("session.create gives one")
}

// sessionOf is the session for calls of a request that name none: from the header or
// the URL, where a balancer sees it.
func sessionOf(r *http.Request) sessionMode {
	id := namedBy(r)
	if id == "" {
		return needSession
	}
	return func(context.Context) (string, error) { return id, nil }
}

func namedBy(r *http.Request) string {
	return cmp.Or(r.URL.Query().Get("session_id"), r.Header.Get("X-Session-Id"))
}

// place gives a request its session and its place in the session's order.
func (s *server) place(ctx context.Context, m *provider.Message, mode sessionMode) (_ *turn, err error) {
	defer func() {
		if err != nil {
			err = s.Table.MaskError(provider.AsError(err))
		}
	}()
	if s.stopping() {
		return nil, errStopping()
	}
	tool := s.Table.Find(m.Request.Tool)
	if tool == nil {
		return s.orders.join("", provider.Touch{})
	}
	session, err := tool.SessionOf(m.Request)
	if err != nil {
		return nil, err
	}
	if session == "" && !tool.Sessionless {
		if session, err = mode(ctx); err != nil {
			return nil, tool.ErrorOf(err)
		}
	}
	if !tool.Sessionless {
		m.Request.Session = session
	}
	return s.orders.join(session, s.Table.Touch(m))
}

func errStopping() error {
	return provider.Errorf(provider.KindUnavailable, "the service is stopping")
}

// call gives a request its place, and runs it there.
func (s *server) call(ctx context.Context, m *provider.Message, mode sessionMode) (provider.Result, error) {
	t, err := s.place(ctx, m, mode)
	if err != nil {
		return provider.Result{}, err
	}
	return s.run(ctx, t, m.Request)
}

// run runs a placed request to its end.
func (s *server) run(ctx context.Context, t *turn, r provider.Request) (provider.Result, error) {
	defer t.leave()
	if err := t.wait(ctx); err != nil {
		return provider.Result{}, err
	}
	return s.Table.Call(ctx, r)
}

// callContext is the context of a request's calls: it ends with the request, and has
// the base's values.
func (s *server) callContext(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(s.base)
	stop := context.AfterFunc(r.Context(), cancel)
	team := provider.TeamFrom(r.Context())
	client := strings.TrimSpace(team.Name + " " + remoteIP(r)) // a team may share an address with another
	ctx = provider.WithTeam(provider.WithClient(ctx, client), team)
	ctx = provider.SameRequest(provider.WithCaller(ctx, callerOf(r)), r.Context())
	ctx = s.Table.Incoming(ctx, r.Header.Get)
	return ctx, func() { stop(); cancel() }
}
