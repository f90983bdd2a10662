package service

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/provider"
)

// requestID gives each request an id, and echoes it.
func requestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := provider.WithRequestID(r.Context(), r.Header.Get("X-Request-Id"))
		w.Header().Set("X-Request-Id", provider.RequestID(ctx))
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// access logs each request by its route: never its path, which may name a session, its
// query, its body or what was answered.
func (s *server) access(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		who := &whose{}
		r = r.WithContext(context.WithValue(r.Context(), whoseKey{}, who))
		counted := &countingBody{ReadCloser: r.Body}
		r.Body = counted
		wrapped := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			s.metrics.bytes(counted.n, int64(wrapped.BytesWritten()))
			level := slog.LevelInfo
			if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" || r.URL.Path == "/metrics" {
				level = slog.LevelDebug
			}
			s.Log.LogAttrs(r.Context(), level, "request", slog.String("request_id", provider.RequestID(r.Context())),
				slog.String("method", r.Method), slog.String("route", route(r)), slog.Int("status", wrapped.Status()),
				slog.Duration("took", time.Since(start)), slog.Int64("bytes_in", counted.n),
				slog.Int("bytes_out", wrapped.BytesWritten()), slog.String("remote", remoteIP(r)),
				slog.String("team", who.name))
		}()
		next.ServeHTTP(wrapped, r)
	})
}

// whose is the name of the team whose key a request has, once the door has found it.
type whose struct{ name string }

type whoseKey struct{}

// route is the pattern of a request's route, such as /cdp/{session}. It hides a path
// without a route, which may contain anything.
func route(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil && c.RoutePattern() != "" {
		return c.RoutePattern()
	}
	return "none"
}

// recoverer turns a panic in a handler into an error answer.
func (s *server) recoverer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				s.Log.Error("panic", "request_id", provider.RequestID(r.Context()), "error", p, "stack", string(debug.Stack()))
				writeError(w, provider.Errorf(provider.KindInternal, "internal error"))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func remoteIP(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// countingBody counts the bytes read from a request.
type countingBody struct {
	io.ReadCloser
	n int64
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n += int64(n)
	return n, err
}

// callerHeader carries the caller of a request to code that sees only headers. A
// client's own header of that name is replaced.
const callerHeader = "X-Pwpipe-Caller"

// callerOf describes the sender of a request for people: the address, and the program's
// own name. It contains no key.
func callerOf(r *http.Request) string {
	program, _, _ := strings.Cut(r.UserAgent(), " ")
	address := strings.TrimSpace(provider.TeamFrom(r.Context()).Name + " " + remoteIP(r))
	return callerWords(address, program)
}

// mcpCaller describes an MCP client. The client's own name is more useful than its
// library's.
func mcpCaller(req *mcp.CallToolRequest, name string) string {
	caller := ""
	if req.Extra != nil { // nil on the older transport
		caller = req.Extra.Header.Get(callerHeader)
	}
	if name == "" {
		return caller
	}
	address, _, _ := strings.Cut(caller, ", ")
	return callerWords(address, name)
}

func callerWords(address, program string) string {
	if program == "" {
		return address
	}
	return address + ", " + program
}

// limiter counts the requests of each address.
type limiter struct {
	limit int
	key   httprate.KeyFunc
	rate  *httprate.RateLimiter
}

func newLimiter(perMinute int) limiter { return newLimiterBy(perMinute, httprate.KeyByIP) }

// newTeamLimiter counts the requests of each team, from whichever address.
func newTeamLimiter(perMinute int) limiter {
	return newLimiterBy(perMinute, func(r *http.Request) (string, error) {
		return provider.TeamFrom(r.Context()).Name, nil
	})
}

func newLimiterBy(perMinute int, key httprate.KeyFunc) limiter {
	l := limiter{limit: perMinute, key: key}
	if perMinute > 0 {
		l.rate = httprate.NewRateLimiter(perMinute, time.Minute, httprate.WithKeyFuncs(key), httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
			writeStatus(w, http.StatusTooManyRequests, provider.Errorf(provider.KindLimit, "more than %d requests in a minute", perMinute).WithHint("try again after the time in Retry-After"))
		}))
	}
	return l
}

func (l limiter) middleware(next http.Handler) http.Handler {
	if l.rate == nil {
		return next
	}
	return l.rate.Handler(next)
}

// take counts n more requests of a batch or a socket towards the limit of r's address.
// It reports whether the limit allows them.
func (l limiter) take(r *http.Request, n int) bool {
	if l.rate == nil || n <= 0 {
		return true
	}
	key, err := l.key(r)
	if err != nil {
		return false
	}
	ctx := httprate.WithIncrement(r.Context(), n)
	return !l.rate.OnLimit(discardHeaders{}, r.WithContext(ctx), key)
}

// discardHeaders drops the rate limiter's headers when there is no response for them.
type discardHeaders struct{}

func (discardHeaders) Header() http.Header         { return http.Header{} }
func (discardHeaders) Write(p []byte) (int, error) { return len(p), nil }
func (discardHeaders) WriteHeader(int)             {}
