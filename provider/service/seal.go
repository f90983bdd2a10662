package service

import (
	"bufio"
	"net"
	"net/http"
)

// seal sets the headers of every answer: browsers must not guess another type, and
// nobody may cache it.
func seal(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
}

// sealed seals every answer, whatever a handler set: the MCP SDK sets its own
// Cache-Control.
func sealed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&sealedWriter{w}, r)
	})
}

type sealedWriter struct{ http.ResponseWriter }

func (w *sealedWriter) WriteHeader(status int) {
	seal(w.Header())
	w.ResponseWriter.WriteHeader(status)
}

func (w *sealedWriter) Write(p []byte) (int, error) {
	seal(w.Header()) // only the first call has an effect
	return w.ResponseWriter.Write(p)
}

// Unwrap implements the interface of http.ResponseController.
func (w *sealedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements http.Flusher for code that does not use a ResponseController.
func (w *sealedWriter) Flush() {
	seal(w.Header())
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Hijack implements http.Hijacker, with which a WebSocket takes the connection.
func (w *sealedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}
