package program

import (
	"net"
	"time"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/provider/service"
)

// Serving is MCP over HTTP for a command of a feature, with /sse for older clients.
type Serving struct {
	*Options
	Addr       string // host and port
	Hosts      string // names by which clients may call it, with commas between
	Door       service.Door
	OneSession bool          // all clients have one
	Contexts   int           // bounds them
	Idle, Stop time.Duration // after which a session is closed; for what runs at the end
	Profile    string        // that MCP lists
	Announce   func(net.Listener)
}

// Run serves until a signal comes. With --user-data-dir the browser has one context, so one client
// at a time is served.
func (s *Serving) Run() error {
	if err := s.states().open(s.Options); err != nil {
		return err
	}
	o := serveOptions{Options: *s.Options, addr: s.Addr, door: s.Door, hosts: s.Hosts, ttlMS: int(s.Idle.Milliseconds()),
		stop: s.Stop, profile: s.Profile, lendTabs: true, as: s}
	o.pool = handlers.PoolOptions{Prepare: o.begin}
	o.browsers.register(pflag.NewFlagSet("", pflag.ContinueOnError)) // the defaults
	o.MaxContexts = s.Contexts
	if o.UserDataDir != "" {
		o.MaxContexts = 1
	}
	return runServe(o)
}
