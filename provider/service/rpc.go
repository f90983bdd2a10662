package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
	"pwpipe/provider/wire"
)

// maxBatch bounds the requests of one batch.
const maxBatch = 100

// rpc is POST /rpc: JSON-RPC 2.0, single or batch. The status is 200 for results and
// errors, as is usual for JSON-RPC over HTTP; 204 without an answer; 400 for a body
// that is not JSON.
func (s *server) rpc(w http.ResponseWriter, r *http.Request) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		writeStatus(w, http.StatusUnsupportedMediaType, provider.Errorf(provider.KindInvalid, "content-type: expected application/json, got %q", kind))
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		return
	}
	ctx, cancel := s.callContext(r)
	defer cancel()
	ctx, written := provider.Answering(ctx)
	defer written()
	answer, status := s.rpcText(ctx, r, body)
	if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeJSON(w, status, answer)
}

// rpcText answers a JSON-RPC text that came with r; nil if there is nothing to answer.
// The requests of a batch after the first count towards the rate limit.
func (s *server) rpcText(ctx context.Context, r *http.Request, text []byte) (answer []byte, status int) {
	mode := sessionOf(r)
	text = bytes.TrimSpace(text)
	if err := rawjson.Check(text); err != nil {
		m := s.Table.Broken(text, err)
		m.RPC = true
		return wire.ReplyTo(m, nil, m.Err).Line, http.StatusBadRequest
	}
	if text[0] != '[' {
		return s.rpcOne(ctx, s.parseRPC(text), mode).Line, http.StatusOK
	}
	list, _ := rawjson.SplitArray(text)
	refused := func(e *provider.Error) []byte { return wire.ReplyTo(&provider.Message{RPC: true}, nil, e).Line }
	switch {
	case len(list) == 0:
		return refused(provider.Errorf(provider.KindInvalid, "invalid request: an empty batch")), http.StatusOK
	case len(list) > maxBatch:
		return refused(provider.Errorf(provider.KindInvalid, "invalid request: a batch of %d; at most %d", len(list), maxBatch)), http.StatusOK
	case !s.rate.limiterOf(r, s.Door.Keys).take(r, len(list)-1):
		return refused(provider.Errorf(provider.KindLimit, "too many requests").WithHint("the batch counts as %d of them", len(list))), http.StatusTooManyRequests
	}
	replies := make([]wire.Reply, len(list))
	for i, raw := range list {
		replies[i] = s.rpcOne(ctx, s.parseRPC(raw), mode)
	}
	if answer = wire.Join(replies).Line; answer == nil {
		return nil, http.StatusNoContent
	}
	return answer, http.StatusOK
}

// parseRPC reads one request, which must be JSON-RPC here.
func (s *server) parseRPC(text []byte) *provider.Message {
	m := s.Table.Parse(text)
	if !m.RPC && m.Err == nil {
		m.Err = provider.Errorf(provider.KindInvalid, `invalid request: no "jsonrpc"`).WithHint(`a request has "jsonrpc":"2.0", id, method and params`)
		m.Notify = false
	}
	m.RPC = true
	if m.Response && m.Err == nil {
		m.Err = provider.Errorf(provider.KindInvalid, "invalid request: a response to a request that was never sent")
	}
	return m
}

// rpcOne runs one request.
func (s *server) rpcOne(ctx context.Context, m *provider.Message, mode sessionMode) wire.Reply {
	if m.Err != nil {
		return wire.ReplyTo(m, nil, m.Err)
	}
	result, err := s.call(ctx, m, mode)
	return wire.ReplyTo(m, result.JSON, err)
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

// errNothing is the error of a path that is no route.
func errNothing(path string) *provider.Error {
	return provider.Errorf(provider.KindUnknown, "nothing is served at %s", clipPath(path))
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
