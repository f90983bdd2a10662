package service

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"pwpipe/internal/pipetest"
	"pwpipe/provider"
)

// TestRoutes: testdata/routes.txt has the routes of a service, and those that come with an
// option.
func TestRoutes(t *testing.T) {
	plain := Service{Table: testTable(), Grace: time.Second, Door: Door{MaxBody: 1 << 20, Loopback: true}}
	least := routesOf(t, plain)
	text := "== always\n" + strings.Join(least, "\n") + "\n"
	for _, option := range []struct {
		name string
		set  func(*Service)
	}{
		{"an operator's key", func(s *Service) { s.Door.OperatorKey = operatorKey }},
		{"a page for people", func(s *Service) { s.Watch = func(context.Context, provider.Viewer) {} }},
		{"MCP's older transport", func(s *Service) { s.Older = true }},
		{"shell commands", func(s *Service) { s.Shell = &Shell{} }},
	} {
		s := plain
		option.set(&s)
		more := slices.DeleteFunc(routesOf(t, s), func(route string) bool { return slices.Contains(least, route) })
		text += "== with " + option.name + "\n" + strings.Join(more, "\n") + "\n"
	}
	pipetest.Golden(t, "testdata/routes.txt", text)
}

// routesOf are the methods and paths that a service answers. A path for all methods is one.
func routesOf(t *testing.T, s Service) []string {
	t.Helper()
	r := newServer(context.Background(), s)
	defer r.stop()
	methods := map[string]int{}
	var routes []string
	err := chi.Walk(r.handler().(chi.Routes), func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		methods[path]++
		routes = append(routes, fmt.Sprintf("%s %s", method, path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, n := range methods {
		if n > 4 { // chi lists a path for all methods once for each
			routes = slices.DeleteFunc(routes, func(route string) bool { return strings.HasSuffix(route, " "+path) })
			routes = append(routes, "* "+path)
		}
	}
	slices.Sort(routes)
	return routes
}
