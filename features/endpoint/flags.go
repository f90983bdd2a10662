package endpoint

import (
	"context"
	"net"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/provider/service"
)

// routes has no flags: it serves /cdp/{session} where HTTP is served.
type routes struct{}

func newRoutes(string) program.Flags { return routes{} }

func (routes) Register(*pflag.FlagSet, *handlers.Config) {}
func (routes) Into(*program.Setup) error                 { return nil }

// Service serves sessions to DevTools clients, unless the tool that gives their addresses is
// hidden.
func (routes) Service(
	ctx context.Context, r *program.Running, s *service.Service, _ net.Listener, base string,
) context.Context {
	joins := &Joins{}
	if r.Table.Find("session.cdp") != nil {
		s.CDP, s.Join = Serve, joins.Let
	}
	return WithBase(ctx, "ws"+strings.TrimPrefix(base, "http"), joins)
}
