package network

import (
	"maps"
	"slices"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Bounds of the routes of a session's pages together: their number, and the bytes of
// their patterns and handlers.
const (
	maxRoutes     = 1000
	maxRouteBytes = 16 << 20
)

// room refuses a route that exceeds the bounds of a session.
func room(s *browser.Session, size int) error {
	n := 1
	for _, p := range s.OpenPages() {
		all := routed.Of(p)
		all.mu.Lock()
		for _, r := range all.list {
			n, size = n+1, size+r.size
		}
		all.mu.Unlock()
	}
	switch {
	case n > maxRoutes:
		return provider.Errorf(provider.KindLimit, "a session has %d routes at most", maxRoutes).
			WithHint("remove some with unroute")
	case size > maxRouteBytes:
		return provider.Errorf(provider.KindLimit, "the routes of a session may have %d MiB together", maxRouteBytes>>20).
			WithHint(`{"path":"…"} answers with a file; unroute takes away what is not needed`)
	}
	return nil
}

type routeInfo struct {
	Pattern string `json:"pattern" own:"yes" doc:"as given to route"`
	Does    string `json:"does" own:"yes" doc:"reply, abort, fallback or request"`
	Hits    int64  `json:"hits" doc:"how many requests it has answered"`
	Times   int64  `json:"times,omitempty" doc:"how many it may answer; nothing for all"`

	Status      int      `json:"status,omitempty" doc:"of the reply, where one was given"`
	ContentType string   `json:"contentType,omitempty" own:"yes" doc:"of the reply, where one was given"`
	Headers     []string `json:"headers,omitempty" own:"yes" doc:"names of the reply's headers"`
}

// listRoutes lists the routes that exist.
func listRoutes(c *tool.Call, _ tool.NoParams) ([]routeInfo, error) {
	all := routed.Of(c.Page)
	all.mu.Lock()
	defer all.mu.Unlock()
	list := []routeInfo{}
	for _, r := range all.list {
		i := routeInfo{Pattern: r.pattern, Does: "reply", Hits: r.used.Load(), Times: r.Times,
			Status: r.Status, ContentType: r.ContentType, Headers: slices.Sorted(maps.Keys(r.Headers))}
		if code, _ := r.abortCode(); code != "" {
			i.Does = "abort"
		} else if r.Fallback {
			i.Does = "fallback"
		} else if r.Request != nil {
			i.Does = "request"
		}
		if r.Times > 0 {
			i.Hits = min(i.Hits, r.Times) // above it, a request was passed on
		}
		list = append(list, i)
	}
	return list, nil
}
