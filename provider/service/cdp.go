package service

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"pwpipe/provider"
)

// cdp is GET /cdp/{session}: the session is in use for as long as the client is
// there.
func (s *server) cdp(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.CDP == nil:
		writeError(w, provider.Errorf(provider.KindUnknown, "nothing is served at %s", clipPath(r.URL.Path)))
		return
	case s.stopping():
		writeError(w, errStopping())
		return
	}
	s.sockets.Add(1)
	defer s.sockets.Done()
	base, end := context.WithCancel(s.base)
	defer end()
	ctx, release, err := s.sessions.Bind(base, chi.URLParam(r, "session"))
	if err != nil {
		writeError(w, err)
		return
	}
	defer release(nil)
	if err := s.CDP(ctx, w, r); err != nil {
		writeError(w, err)
	}
}
