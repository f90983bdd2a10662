package service

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"pwpipe/provider"
)

// drainer is a Sessions that can be drained.
type drainer interface {
	// Drain stops opening sessions; open ones go on.
	Drain()
}

// emptying is the answer of GET and POST /drain.
type emptying struct {
	Draining bool `json:"draining"`
	Sessions int  `json:"sessions"`
	Calls    int  `json:"calls"` // that run, or wait for their turn
	Empty    bool `json:"empty"`
}

// drains serves /drain to operators. Clients must not stop the service.
func (s *server) drains(r chi.Router) {
	operator := s.Door
	operator.APIKey, operator.Keys = s.Door.OperatorKey, nil
	r.Use(operator.origin, operator.authenticate(s.guesses, asOperator, newLimiter(s.Door.RatePerMinute)), operator.body)
	r.Get("/drain", func(w http.ResponseWriter, _ *http.Request) { s.writeLeft(w) })
	r.Post("/drain", s.drainFor)
	if s.Door.Keys != nil {
		r.Method(http.MethodGet, "/metrics", s.counts())
	}
}

// drainFor is POST /drain: no further session opens, open ones go on. With ?wait=30s
// the answer comes when they are gone, or after that time.
func (s *server) drainFor(w http.ResponseWriter, r *http.Request) {
	wait := time.Duration(0)
	if text := r.URL.Query().Get("wait"); text != "" {
		var err error
		if wait, err = time.ParseDuration(text); err != nil || wait < 0 {
			writeError(w, provider.Errorf(provider.KindArgs, "wait: expected a time such as 30s, got %q", clipPath(text)))
			return
		}
	}
	if s.emptying.CompareAndSwap(false, true) {
		s.Log.Info("draining", "sessions", s.sessions.Open())
		s.closeSessions()
		go func() {
			if s.awaitEmpty(s.base) {
				s.Log.Info("drained")
			}
		}()
	}
	ctx, cancel := context.WithTimeout(r.Context(), wait)
	defer cancel()
	s.awaitEmpty(ctx)
	s.writeLeft(w)
}

// closeSessions stops the opening of sessions, if they can be drained.
func (s *server) closeSessions() {
	if d, ok := s.sessions.(drainer); ok {
		d.Drain()
	}
}

func (s *server) writeLeft(w http.ResponseWriter) {
	text, _ := json.Marshal(s.load()) // it has no error
	writeJSON(w, http.StatusOK, text)
}

func (s *server) load() emptying {
	own := emptying{Draining: s.emptying.Load(), Sessions: s.sessions.Open(), Calls: s.orders.depth()}
	own.Empty = own.Sessions+own.Calls == 0
	return own
}

// awaitEmpty waits until no session is left.
func (s *server) awaitEmpty(ctx context.Context) bool {
	return await(ctx, 50*time.Millisecond, func() bool { return s.load().Empty })
}

// await waits until something holds. It reports whether it did before ctx ended.
func await(ctx context.Context, every time.Duration, holds func() bool) bool {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
