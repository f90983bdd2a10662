package network

import (
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// RouteListTools list the routes.
func RouteListTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Net.Reads("routes", "Routes", "List the page's routes, the one that is asked first on top, and how often each has answered"), listRoutes),
	}
}

type routeInfo struct {
	Pattern string `json:"pattern" own:"yes" doc:"as given to route"`
	Does    string `json:"does" own:"yes" doc:"reply, abort or fallback"`
	Hits    int64  `json:"hits" doc:"how many requests it has answered"`
	Times   int64  `json:"times,omitempty" doc:"how many it was to answer; nothing for all"`
}

// listRoutes lists what route added and unroute has not removed.
func listRoutes(c *tool.Call, _ tool.NoParams) ([]routeInfo, error) {
	all := routed.Of(c.Page)
	all.mu.Lock()
	defer all.mu.Unlock()
	list := []routeInfo{}
	for _, r := range all.list {
		i := routeInfo{Pattern: r.pattern, Does: "reply", Hits: r.used.Load(), Times: r.Times}
		if code, _ := r.abortCode(); code != "" {
			i.Does = "abort"
		} else if r.Fallback {
			i.Does = "fallback"
		}
		if r.Times > 0 {
			i.Hits = min(i.Hits, r.Times) // above it a request was passed on
		}
		list = append(list, i)
	}
	return list, nil
}
