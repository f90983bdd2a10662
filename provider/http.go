package provider

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Service serves the tools over HTTP to many clients at once:
//
//	POST /rpc            JSON-RPC 2.0
//	GET  /openrpc.json   what /rpc takes
//	GET  /ws             JSON-RPC 2.0 over WebSocket, with events
//	     /mcp            the Model Context Protocol, streamable HTTP
//	POST /tools/{name}   one tool, for ilo's HTTP provider
//	GET  /metrics        Prometheus
//	GET  /healthz        whether to restart it
//	GET  /readyz         whether to send it requests
type Service struct {
	Table    *Table
	Sessions Sessions
	Guard    Guard
	Log      *slog.Logger
	Version  string
	Profile  string // what MCP lists
	// Check reports whether the browser works; nil takes that for granted.
	Check func(context.Context) error
	// IdleAfter is how long a session may be idle before Sessions closes it:
	// for the words of errors, and for MCP's sessions.
	IdleAfter time.Duration

	base     context.Context // of everything that outlives a request
	stop     context.CancelFunc
	orders   orders
	metrics  *metrics
	rate     limiter
	shared   sharedSession
	health   health
	sockets  sync.WaitGroup
	draining chan struct{}
	once     sync.Once
}

// Time-outs against clients that are slow on purpose. A request that runs may
// take as long as its tool's deadline.
const (
	readHeaderTime = 5 * time.Second
	readTime       = 30 * time.Second // for the whole request
	writeTime      = 30 * time.Second // for the answer, once there is one
	idleTime       = 2 * time.Minute  // between requests of a connection
)

// Handler is the service as an HTTP handler. ctx is what its calls run under:
// it carries what the handlers need.
func (s *Service) Handler(ctx context.Context) http.Handler {
	s.base, s.stop = context.WithCancel(ctx)
	s.draining = make(chan struct{})
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	s.Table.Sessions = s.Sessions
	s.metrics = newMetrics(s)
	s.Table.Observe = s.metrics.observe(s.Table, s.Table.Observe)
	s.rate = newLimiter(s.Guard.RatePerMinute)
	s.shared.of = s.Sessions

	r := chi.NewRouter()
	r.Use(sealed, requestID, s.access, s.recoverer)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) {
		writeError(w, Errorf(KindUnknown, "nothing is served at %s", clipPath(r.URL.Path)).
			WithHint("there are POST /rpc, GET /openrpc.json, GET /ws, /mcp, POST /tools/{name}, GET /metrics, GET /healthz, GET /readyz"))
	})
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		writeStatus(w, http.StatusMethodNotAllowed, Errorf(KindInvalid, "%s is not for %s", clipPath(r.URL.Path), r.Method))
	})
	r.Get("/healthz", s.healthz)
	r.Get("/readyz", s.readyz)
	r.Group(func(r chi.Router) {
		r.Use(s.Guard.origin, s.Guard.authenticate(newLimiter(s.Guard.RatePerMinute)), s.rate.middleware, s.Guard.body)
		r.Post("/rpc", s.rpc)
		r.Get("/openrpc.json", s.openrpc)
		r.Get("/ws", s.websocket)
		r.Handle("/mcp", s.mcpHandler())
		r.Post("/tools/{name}", s.tool)
		r.Method(http.MethodGet, "/metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	})
	if s.Check != nil {
		go s.health.watch(s.base, s.Check)
	}
	return r
}

// Serve serves a listener until ctx ends; then it takes nothing new, finishes
// what runs, and returns within grace, by force if need be.
func (s *Service) Serve(ctx context.Context, l net.Listener, h http.Handler, grace time.Duration) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: readHeaderTime, ReadTimeout: readTime, IdleTimeout: idleTime,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	s.drain(end)
	if err := server.Shutdown(end); err != nil {
		_ = server.Close()
	}
	return nil
}

// drain has what runs finish, then ends what would go on for ever: sockets and
// event streams.
func (s *Service) drain(ctx context.Context) {
	s.once.Do(func() { close(s.draining) })
	for tick := time.NewTicker(10 * time.Millisecond); s.orders.depth() > 0; {
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
			s.Log.Warn("requests were still running when the time to stop was over", "count", s.orders.depth())
		}
		break
	}
	s.stop()
	gone := make(chan struct{})
	go func() { s.sockets.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-ctx.Done():
	}
}

// stopping reports whether the service takes no more calls.
func (s *Service) stopping() bool {
	select {
	case <-s.draining:
		return true
	default:
		return false
	}
}

// sessionMode says what a call without a session_id means on a surface.
type sessionMode func(ctx context.Context) (id string, err error)

// needSession is /rpc's and /ws's: there a session must be named.
func needSession(context.Context) (string, error) {
	return "", Errorf(KindArgs, `missing parameter "session_id" (a string)`).WithHint("session.create gives one")
}

// place gives a request its session and its place in the session's order.
func (s *Service) place(ctx context.Context, m *message, mode sessionMode) (at *turn, err error) {
	defer func() {
		if err != nil {
			err = s.Table.maskError(AsError(err))
		}
	}()
	if s.stopping() {
		return nil, Errorf(KindUnavailable, "the service is stopping")
	}
	tool := s.Table.Find(m.request.Tool)
	if tool == nil {
		return s.orders.join("", touch{})
	}
	session, err := s.sessionOf(tool, m)
	if err != nil {
		return nil, err
	}
	if session == "" && !tool.Sessionless {
		if session, err = mode(ctx); err != nil {
			return nil, named(tool, err)
		}
	}
	if !tool.Sessionless {
		m.request.Session = session
	}
	return s.orders.join(session, s.Table.touch(m))
}

// sessionOf is the session that a message names, beside its params or in them.
func (s *Service) sessionOf(tool *Tool, m *message) (string, error) {
	r := m.request
	named, err := tool.named(r.Params)
	if err != nil {
		return r.Session, nil // the funnel words what is wrong with params
	}
	if raw := named.get("session_id"); raw != nil {
		if err := r.set("session_id", raw, time.Second); err != nil {
			return "", badArguments(tool, err)
		}
	}
	return r.Session, nil
}

// run runs a placed request to its end.
func (s *Service) run(ctx context.Context, t *turn, r Request) (Result, error) {
	defer t.leave()
	if err := t.wait(ctx); err != nil {
		return Result{}, err
	}
	return s.Table.Call(ctx, r)
}

// callContext is the context of a request's calls: it ends with the request,
// and carries what the base carries.
func (s *Service) callContext(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(s.base)
	stop := context.AfterFunc(r.Context(), cancel)
	ctx = context.WithValue(ctx, middleware.RequestIDKey, middleware.GetReqID(r.Context()))
	return ctx, func() { stop(); cancel() }
}

// writeJSON answers with a JSON text.
func writeJSON(w http.ResponseWriter, status int, body json.RawMessage) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}

// writeError answers with an error as {"error":"one clear line", ...}.
func writeError(w http.ResponseWriter, err error) {
	writeStatus(w, AsError(err).Kind.HTTPStatus(), err)
}

func writeStatus(w http.ResponseWriter, status int, err error) {
	e := AsError(err)
	writeJSON(w, status, encode(struct {
		Error string `json:"error"`
		Kind  Kind   `json:"kind"`
	}{e.Error(), e.Kind}))
}

func clipPath(p string) string {
	if len(p) > 100 {
		return p[:100] + "…"
	}
	return p
}
