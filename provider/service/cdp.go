package service

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// joinPath is a session's path for a client that has a token instead of the key.
const joinPath = "/cdp/{session}/token/{token}"

// cdpRoutes are a session's routes below a path, as Chromium has them. The address that
// session.cdp answers has them too, and json/list gives pages below the address that it is asked at.
func (s *server) cdpRoutes(r chi.Router, at string) {
	for _, at := range []string{at, at + "/devtools/browser/{id}"} {
		r.Get(at, s.cdp)
		r.Get(at+"/devtools/page/{target}", s.cdp)
		s.jsonRoutes(r, at)
	}
}

// jsonRoutes are the routes for clients that know only an HTTP address.
func (s *server) jsonRoutes(r chi.Router, at string) {
	for _, path := range []string{"/json", "/json/list", "/json/version"} {
		r.Get(at+path, s.cdp)
		r.Get(at+path+"/", s.cdp)
	}
}

// joins admits clients with a token of the session. Wrong tokens are counted.
func (s *server) joins(wrong limiter) func(http.Handler) http.Handler {
	refused := wrong.middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeDevTools(w, r, http.StatusUnauthorized, provider.Errorf(provider.KindBlocked, "the address has expired").
			WithHint("session.cdp with token: true gives another"))
	}))
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if s.Join == nil || !s.Join(chi.URLParam(r, "session"), chi.URLParam(r, "token")) {
				refused.ServeHTTP(w, r)
				return
			}
			if s.Door.Keys != nil { // the token admits to the session of a team that there is
				name := ""
				if of, ok := s.sessions.(interface{ TeamOf(id string) string }); ok {
					name = of.TeamOf(chi.URLParam(r, "session"))
				}
				t := s.Door.Keys.named(name)
				if t == nil {
					refused.ServeHTTP(w, r)
					return
				}
				r = r.WithContext(provider.WithTeam(r.Context(), t.Team))
			}
			next.ServeHTTP(w, r)
		})
	}
}

// ofDevTools reports whether a path is for DevTools clients.
func ofDevTools(path string) bool {
	return strings.HasPrefix(path, "/cdp/") || strings.HasPrefix(path, "/json")
}

// writeDevTools is [writeStatus] for DevTools clients: some read the address from any
// JSON, and end the program if it is missing.
func writeDevTools(w http.ResponseWriter, r *http.Request, status int, err error) {
	if !ofDevTools(r.URL.Path) {
		writeStatus(w, status, err)
		return
	}
	e := provider.AsError(err)
	writeJSON(w, status, rawjson.Encode(struct {
		Error string        `json:"error"`
		Kind  provider.Kind `json:"kind"`
		URL   string        `json:"webSocketDebuggerUrl"`
	}{e.Error(), e.Kind, ""}))
}

// cdp is GET /cdp/{session}. The session is in use while the client is connected.
func (s *server) cdp(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.CDP == nil:
		writeError(w, errNothing(r.URL.Path))
		return
	case s.stopping():
		writeError(w, errStopping())
		return
	}
	s.sockets.Add(1)
	defer s.sockets.Done()
	base, end := context.WithCancel(provider.WithTeam(s.base, provider.TeamFrom(r.Context())))
	defer end()
	defer context.AfterFunc(r.Context(), end)()
	ctx, release, err := s.sessions.Bind(base, cmp.Or(chi.URLParam(r, "session"), namedBy(r)))
	if err != nil {
		writeDevTools(w, r, provider.AsError(err).Kind.HTTPStatus(), err)
		return
	}
	defer release(nil)
	if err := s.CDP(ctx, w, r); err != nil {
		writeDevTools(w, r, provider.AsError(err).Kind.HTTPStatus(), err)
	}
}
