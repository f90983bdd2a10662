package service

import (
	"bufio"
	"net"
	"net/http"
)

// seal sets what every answer carries: no browser is to take one for another
// type than it says, and nobody is to keep one.
func seal(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
}

// sealed seals every answer, whatever a handler set: the MCP SDK has a
// Cache-Control of its own.
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
	seal(w.Header()) // too late, and without effect, but for the first
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *sealedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush is for who does not ask it: http.Flusher.
func (w *sealedWriter) Flush() {
	seal(w.Header())
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Hijack is how a WebSocket takes the connection: http.Hijacker.
func (w *sealedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}
