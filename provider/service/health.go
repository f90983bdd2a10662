package service

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"pwpipe/provider"
)

// Times of the browser's health check.
const (
	checkEvery   = 10 * time.Second
	checkTime    = 5 * time.Second
	sickFor      = 2 * time.Minute // without a working browser: the service should be restarted
	firstStartIn = 5 * time.Minute // longer, as it may have to fetch the browser
)

// health records when the browser last worked.
type health struct {
	mu    sync.Mutex
	began time.Time
	good  time.Time
	err   error
}

// watch checks the browser regularly. So health is known without a request, and a dead
// browser is replaced before the next one.
func (h *health) watch(ctx context.Context, check func(context.Context) error) {
	h.mu.Lock()
	h.began = time.Now()
	h.mu.Unlock()
	for tick := time.NewTicker(checkEvery); ; {
		_ = h.ask(ctx, check)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (h *health) ask(ctx context.Context, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	err := check(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = err
	if err == nil {
		h.good = time.Now()
	}
	return err
}

// sick reports that only a restart of the service can help: no browser has worked for a
// long time.
func (h *health) sick() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	patience, since := sickFor, h.good
	if since.IsZero() {
		patience, since = firstStartIn, h.began
	}
	if since.IsZero() || h.err == nil || time.Since(since) < patience {
		return nil
	}
	return provider.Errorf(provider.KindUnavailable, "no browser for %s: %w", time.Since(since).Round(time.Second), h.err)
}

// healthz says whether to restart the service.
func (s *server) healthz(w http.ResponseWriter, _ *http.Request) {
	if err := s.health.sick(); err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, json.RawMessage(`{"ok":true}`))
}

// readyz says whether to send requests to the service: it asks the browser.
func (s *server) readyz(w http.ResponseWriter, r *http.Request) {
	if s.stopping() {
		writeError(w, errStopping())
		return
	}
	if s.emptying.Load() {
		writeError(w, provider.Errorf(provider.KindUnavailable, "the service is being drained"))
		return
	}
	if s.Check != nil {
		if err := s.health.ask(r.Context(), s.Check); err != nil {
			writeStatus(w, http.StatusServiceUnavailable, provider.Errorf(provider.KindUnavailable, "the browser is not ready: %w", err))
			return
		}
	}
	writeJSON(w, http.StatusOK, json.RawMessage(`{"ok":true}`))
}
