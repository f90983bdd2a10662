package provider

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
)

// maxBatch bounds the requests of one batch.
const maxBatch = 100

// rpc is POST /rpc: JSON-RPC 2.0, single or batch. An answer is 200 whether it
// is a result or an error, as is usual for JSON-RPC over HTTP; 204 if there is
// none; 400 for a body that is no JSON.
func (s *Service) rpc(w http.ResponseWriter, r *http.Request) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		writeStatus(w, http.StatusUnsupportedMediaType, Errorf(KindInvalid, "content-type: expected application/json, got %q", kind))
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		return
	}
	ctx, cancel := s.callContext(r)
	defer cancel()
	answer, status := s.rpcText(ctx, body, func(n int) bool { return s.rate.take(r, n) })
	if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeJSON(w, status, answer)
}

// readBody reads a body up to the guard's cap. It has answered where it fails.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		writeTooLarge(w, large.Limit)
	case err != nil:
		writeStatus(w, http.StatusBadRequest, Errorf(KindParse, "reading the body: %w", err))
	}
	return body, err
}

func writeTooLarge(w http.ResponseWriter, limit int64) {
	writeStatus(w, http.StatusRequestEntityTooLarge, Errorf(KindLimit, "the body is over %d bytes", limit).WithHint("send less at once"))
}

// rpcText answers a JSON-RPC text; nil if there is nothing to answer. charge
// counts the requests of a batch beyond the first towards the rate limit.
func (s *Service) rpcText(ctx context.Context, text []byte, charge func(n int) bool) (answer []byte, status int) {
	text = bytes.TrimSpace(text)
	if err := checkJSON(text); err != nil {
		m := s.Table.broken(text, err)
		m.rpc = true
		return m.reply(nil, m.err).line, http.StatusBadRequest
	}
	if text[0] != '[' {
		return s.rpcOne(ctx, s.parseRPC(text)), http.StatusOK
	}
	list, _ := splitArray(text)
	invalid := func(format string, args ...any) ([]byte, int) {
		m := &message{rpc: true}
		return m.reply(nil, Errorf(KindInvalid, "invalid request: "+format, args...)).line, http.StatusOK
	}
	switch {
	case len(list) == 0:
		return invalid("an empty batch")
	case len(list) > maxBatch:
		return invalid("a batch of %d; at most %d", len(list), maxBatch)
	case !charge(len(list) - 1):
		m := &message{rpc: true}
		return m.reply(nil, Errorf(KindLimit, "too many requests").WithHint("the batch counts as %d of them", len(list))).line, http.StatusTooManyRequests
	}
	var all []byte
	for _, raw := range list {
		line := s.rpcOne(ctx, s.parseRPC(raw))
		if line == nil {
			continue
		}
		if all == nil {
			all = []byte{'['}
		} else {
			all = append(all, ',')
		}
		all = append(all, line...)
	}
	if all == nil {
		return nil, http.StatusNoContent
	}
	return append(all, ']'), http.StatusOK
}

// parseRPC reads one request, which must be JSON-RPC's here.
func (s *Service) parseRPC(text []byte) *message {
	m := s.Table.parse(text)
	if !m.rpc && m.err == nil {
		m.err = Errorf(KindInvalid, `invalid request: no "jsonrpc"`).WithHint(`a request has "jsonrpc":"2.0", id, method and params`)
		m.notify = false
	}
	m.rpc = true
	if m.response && m.err == nil {
		m.err = Errorf(KindInvalid, "invalid request: a response to nothing that was asked")
	}
	return m
}

// rpcOne runs one request; nil for a notification.
func (s *Service) rpcOne(ctx context.Context, m *message) []byte {
	if m.err != nil {
		return m.reply(nil, m.err).line
	}
	t, err := s.place(ctx, m, needSession)
	if err != nil {
		return m.reply(nil, err).line
	}
	result, err := s.run(ctx, t, m.request)
	return m.reply(result.JSON, err).line
}
