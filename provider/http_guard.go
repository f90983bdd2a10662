package provider

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"
	"github.com/google/uuid"
)

// Guard is what stands between clients and the tools.
type Guard struct {
	APIKey        string   // "" for none: only on loopback
	RatePerMinute int      // requests of an address a minute, 0 for no limit
	MaxBody       int64    // bytes
	Loopback      bool     // the service listens on loopback only
	Hosts         []string // names that the Host header may have besides loopback's and IP addresses; nil: on loopback none, else any
}

// requestID gives each request a uuid, the client's own if it sent one, and
// echoes it.
func requestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, err := uuid.Parse(r.Header.Get("X-Request-Id"))
		if err != nil {
			id = uuid.New()
		}
		w.Header().Set("X-Request-Id", id.String())
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), middleware.RequestIDKey, id.String())))
	})
}

// RequestID is the id of the HTTP request that a call came with, "" for none.
func RequestID(ctx context.Context) string { return middleware.GetReqID(ctx) }

// access logs each request: never its query, its body or what was answered.
func (s *Service) access(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		counted := &countingBody{ReadCloser: r.Body}
		r.Body = counted
		wrapped := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			s.metrics.bytes(counted.n, int64(wrapped.BytesWritten()))
			level := slog.LevelInfo
			if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" || r.URL.Path == "/metrics" {
				level = slog.LevelDebug
			}
			s.Log.LogAttrs(r.Context(), level, "request", slog.String("request_id", middleware.GetReqID(r.Context())),
				slog.String("method", r.Method), slog.String("path", clipPath(r.URL.Path)), slog.Int("status", wrapped.Status()),
				slog.Duration("took", time.Since(start)), slog.Int64("bytes_in", counted.n),
				slog.Int("bytes_out", wrapped.BytesWritten()), slog.String("remote", remoteIP(r)))
		}()
		next.ServeHTTP(wrapped, r)
	})
}

// recoverer makes a panic in a handler that request's error.
func (s *Service) recoverer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				s.Log.Error("panic", "request_id", middleware.GetReqID(r.Context()), "error", p, "stack", string(debug.Stack()))
				writeError(w, Errorf(KindInternal, "internal error"))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// origin refuses what a web page of someone else's could send: a request with
// a foreign Origin, or one to a name that was pointed at us (DNS rebinding).
func (g Guard) origin(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.hostAllowed(r.Host) {
			writeStatus(w, http.StatusForbidden, Errorf(KindBlocked, "the Host header %q is not one of this service's names", clipPath(r.Host)).
				WithHint("--allowed-hosts adds names"))
			return
		}
		if o := r.Header.Get("Origin"); o != "" && !sameOrigin(o, r.Host) || cross.Check(r) != nil {
			writeStatus(w, http.StatusForbidden, Errorf(KindBlocked, "requests from other sites' pages are refused (Origin %q)", clipPath(o)))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostAllowed judges a Host header.
func (g Guard) hostAllowed(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	ip := net.ParseIP(name)
	switch {
	case name == "localhost" || strings.HasSuffix(name, ".localhost") || ip != nil && ip.IsLoopback():
		return true
	case slices.Contains(g.Hosts, name):
		return true
	case g.Loopback:
		return false
	}
	return g.Hosts == nil || ip != nil
}

func sameOrigin(origin, host string) bool {
	_, rest, ok := strings.Cut(origin, "://")
	return ok && strings.EqualFold(rest, host)
}

// authenticate wants the API key, as x-api-key or as a bearer token. Those
// without are counted by themselves: who shares an address with them (a proxy,
// a NAT) has the key, and is not to be locked out by them.
func (g Guard) authenticate(strangers limiter) func(http.Handler) http.Handler {
	refused := strangers.middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="pwpipe"`)
		writeStatus(w, http.StatusUnauthorized, Errorf(KindBlocked, "missing or wrong API key").WithHint("send it as x-api-key, or as a bearer token"))
	}))
	return func(next http.Handler) http.Handler {
		if g.APIKey == "" {
			return next
		}
		return g.keyed(next, refused)
	}
}

// keyed hands requests with the key on, and others to refused.
func (g Guard) keyed(next, refused http.Handler) http.Handler {
	want := sha256.Sum256([]byte(g.APIKey)) // hashes are of one length, so the comparison's time tells nothing
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("X-Api-Key")
		if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && key == "" && strings.EqualFold(scheme, "bearer") {
			key = strings.TrimSpace(token)
		}
		got := sha256.Sum256([]byte(key))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			refused.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// body caps what is read of a request. One that says beforehand that it is
// longer is not waited for.
func (g Guard) body(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > g.MaxBody {
			w.Header().Set("Connection", "close") // else what is still to come would be read
			writeTooLarge(w, g.MaxBody)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, g.MaxBody)
		next.ServeHTTP(w, r)
	})
}

// limiter counts the requests of each address.
type limiter struct {
	limit int
	rate  *httprate.RateLimiter
}

func newLimiter(perMinute int) limiter {
	l := limiter{limit: perMinute}
	if perMinute > 0 {
		l.rate = httprate.NewRateLimiter(perMinute, time.Minute, httprate.WithKeyByIP(), httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
			writeStatus(w, http.StatusTooManyRequests, Errorf(KindLimit, "more than %d requests in a minute", perMinute).WithHint("try again after the time in Retry-After"))
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

// take counts n more requests towards the limit of r's address, of a batch or
// a socket. It reports whether they are within it.
func (l limiter) take(r *http.Request, n int) bool {
	if l.rate == nil || n <= 0 {
		return true
	}
	key, err := httprate.KeyByIP(r)
	if err != nil {
		return false
	}
	ctx := httprate.WithIncrement(r.Context(), n)
	return !l.rate.OnLimit(discardHeaders{}, r.WithContext(ctx), key)
}

// discardHeaders takes the rate limiter's headers where no response is to
// carry them.
type discardHeaders struct{}

func (discardHeaders) Header() http.Header         { return http.Header{} }
func (discardHeaders) Write(p []byte) (int, error) { return len(p), nil }
func (discardHeaders) WriteHeader(int)             {}

func remoteIP(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// countingBody counts what is read of a request.
type countingBody struct {
	io.ReadCloser
	n int64
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n += int64(n)
	return n, err
}
