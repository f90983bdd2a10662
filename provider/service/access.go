package service

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/google/uuid"

	"pwpipe/provider"
)

// requestID gives each request an id, the client's own or a UUID, and echoes it.
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

// RequestID is the id of the call's HTTP request, "" for none.
func RequestID(ctx context.Context) string { return middleware.GetReqID(ctx) }

// access logs each request by its route. It never logs the path, which may name a
// session, nor query, body or answer.
func (s *server) access(next http.Handler) http.Handler {
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
				slog.String("method", r.Method), slog.String("route", route(r)), slog.Int("status", wrapped.Status()),
				slog.Duration("took", time.Since(start)), slog.Int64("bytes_in", counted.n),
				slog.Int("bytes_out", wrapped.BytesWritten()), slog.String("remote", remoteIP(r)))
		}()
		next.ServeHTTP(wrapped, r)
	})
}

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
				s.Log.Error("panic", "request_id", middleware.GetReqID(r.Context()), "error", p, "stack", string(debug.Stack()))
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
