package service

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// writeJSON answers with a JSON text.
func writeJSON(w http.ResponseWriter, status int, body json.RawMessage) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}

// writeError answers with an error as {"error":"one clear line", ...}.
func writeError(w http.ResponseWriter, err error) {
	writeStatus(w, provider.AsError(err).Kind.HTTPStatus(), err)
}

func writeStatus(w http.ResponseWriter, status int, err error) {
	e := provider.AsError(err)
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	writeJSON(w, status, rawjson.Encode(struct {
		Error string        `json:"error"`
		Kind  provider.Kind `json:"kind"`
	}{e.Error(), e.Kind}))
}

func clipPath(p string) string {
	if len(p) > 100 {
		return p[:100] + "…"
	}
	return p
}

// readBody reads a body up to the limit. If it fails, it has answered.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		writeTooLarge(w, large.Limit)
	case err != nil:
		writeStatus(w, http.StatusBadRequest, provider.Errorf(provider.KindParse, "reading the body: %w", err))
	}
	return body, err
}

func writeTooLarge(w http.ResponseWriter, limit int64) {
	writeStatus(w, http.StatusRequestEntityTooLarge, provider.Errorf(provider.KindLimit, "the body is over %d bytes", limit).WithHint("send less at once"))
}
