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

// joinPath is the path of a session for a client that has a token in place of the key.
const joinPath = "/cdp/{session}/token/{token}"

// cdpRoutes are those of a session below a path, as Chromium has them.
func (s *server) cdpRoutes(r chi.Router, at string) {
	r.Get(at, s.cdp)
	r.Get(at+"/devtools/browser/{id}", s.cdp)
	r.Get(at+"/devtools/page/{id}", s.cdp)
	s.jsonRoutes(r, at)
	s.jsonRoutes(r, at+"/devtools/browser/{id}")
}

// jsonRoutes are what clients ask for that know an address of HTTP only.
func (s *server) jsonRoutes(r chi.Router, at string) {
	for _, path := range []string{"/json", "/json/list", "/json/version"} {
		r.Get(at+path, s.cdp)
		r.Get(at+path+"/", s.cdp)
	}
}

// joins lets in who has a token of the session's. Those who guess are counted.
func (s *server) joins(wrong limiter) func(http.Handler) http.Handler {
	refused := wrong.middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeDevTools(w, r, http.StatusUnauthorized, provider.Errorf(provider.KindBlocked, "the address holds no more").
			WithHint("session.cdp with token: true gives another"))
	}))
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if s.Join == nil || !s.Join(chi.URLParam(r, "session"), chi.URLParam(r, "token")) {
				refused.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// ofDevTools says whether a path is for clients of DevTools.
func ofDevTools(path string) bool {
	return strings.HasPrefix(path, "/cdp/") || strings.HasPrefix(path, "/json")
}

// writeDevTools is [writeStatus] for clients of DevTools: some take the address out of
// whatever JSON comes, and stop the program where there is none.
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
