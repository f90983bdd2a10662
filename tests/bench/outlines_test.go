//go:build evidence

package bench

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// outlinePages are a form and tables of some rows. Each changes one of its texts when its server
// sends an event, and then says so.
var outlinePages = []struct{ name, path, body string }{
	{"form of 30 fields", "/form", formOf(30)},
	{"table of 200 rows", "/200", tableOf(200)},
	{"table of 2,000 rows", "/2000", tableOf(2000)},
}

const changing = `<script>let n = 0;
new EventSource('/events').onmessage = () => {
	document.querySelector('.changes').textContent = 'Changed ' + ++n;
	fetch('/changed');
};</script>`

func formOf(fields int) string {
	var s strings.Builder
	for i := range fields {
		fmt.Fprintf(&s, "<label>Field %d <input name=f%[1]d></label>", i)
	}
	return "<form><h1 class=changes>Form</h1>" + s.String() + "<button>Send</button></form>"
}

func tableOf(rows int) string {
	var s strings.Builder
	for i := range rows {
		fmt.Fprintf(&s, "<tr><td>%d</td><td><a href='/o/%[1]d'>Order %[1]d</a></td><td%s>%s</td><td><button>Open</button></td></tr>",
			i, map[bool]string{true: " class=changes"}[i == rows/2], []string{"new", "paid", "sent"}[i%3])
	}
	return "<h1>Orders</h1><table>" + s.String() + "</table>"
}

// outliner is an MCP server that makes outlines.
type outliner struct {
	*mcpServer
	site            string
	change, changed chan struct{} // of the page that it shows
}

// BenchmarkOutlines times a page that is opened and outlined, an outline of the same page again,
// and one after a text has changed, on each server over MCP, in turns. It prints medians. Opening
// a page outlines it, but for DevTools MCP, which is asked for that besides.
//
//	go test -tags evidence ./tests/bench -run '^$' -bench Outlines -rounds 12
func BenchmarkOutlines(b *testing.B) {
	ours := exec.Command(pipetest.Binary(b), "mcp", "--profile", "agent")
	servers := map[string]*outliner{
		"playwright-mcp": {mcpServer: start(b, "playwright-mcp").(*mcpServer)},
		"devtools-mcp":   {mcpServer: start(b, "devtools-mcp").(*mcpServer)},
		"pwpipe":         {mcpServer: startMCP(b, dialect{snapshot: "snapshot"}, ours)},
	}
	names := []string{"playwright-mcp", "devtools-mcp", "pwpipe"}
	taken, kinds := map[string]measures{}, []string{}
	for name, s := range servers {
		taken[name] = measures{}
		s.serve(b)
	}
	whats := []string{"opened", "again", "one text changed"}
	for _, p := range outlinePages {
		for _, what := range whats {
			kinds = append(kinds, p.name+", "+what+", ms")
		}
	}
	for b.Loop() {
		for i := range *rounds + 1 { // the first warms up
			for _, p := range outlinePages {
				for _, name := range names {
					s := servers[name]
					snapshot := func() { s.tool(b, s.snapshot, map[string]any{}) }
					for k, does := range []func(){
						func() {
							s.open(b, p.path)
							if name == "devtools-mcp" {
								snapshot()
							}
						}, snapshot, snapshot,
					} {
						if k == 2 {
							s.change <- struct{}{}
							<-s.changed
						}
						begin := time.Now()
						does()
						if i > 0 {
							taken[name].add(p.name+", "+whats[k]+", ms", time.Since(begin))
						}
					}
				}
			}
		}
	}
	fmt.Printf("medians of %d\n%s", *rounds, table(kinds, names, taken))
}

// serve serves the pages to one server.
func (s *outliner) serve(b *testing.B) {
	s.change, s.changed = make(chan struct{}), make(chan struct{})
	mux := http.NewServeMux()
	for _, p := range outlinePages {
		mux.HandleFunc(p.path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, "<!doctype html><title>Outlines</title>"+p.body+changing)
		})
	}
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			_ = http.NewResponseController(w).Flush()
			select {
			case <-s.change:
				_, _ = fmt.Fprint(w, "data: now\n\n")
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("/changed", func(http.ResponseWriter, *http.Request) { s.changed <- struct{}{} })
	site := httptest.NewServer(mux)
	b.Cleanup(func() {
		site.CloseClientConnections()
		site.Close()
	})
	s.site = site.URL
}

func (s *outliner) open(b *testing.B, path string) {
	tool, args := "nav", map[string]any{"url": s.site + path} // ours
	if s.call != nil {
		tool, args = s.call(call{tool: "nav", url: s.site + path}, nil)
	}
	s.tool(b, tool, args)
}
