package main

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/internal/policy/storagestate"
	"pwpipe/provider/service"
)

// Bounds of a server of --port. A session ends with its client, or after peerIdle without a call.
const (
	peerBody     = 16 << 20
	peerContexts = 16
	peerIdle     = time.Hour
	peerStop     = 3 * time.Second
)

func setPort(s *mcpServer, v []string) error {
	if _, err := strconv.ParseUint(v[0], 10, 16); err != nil {
		return fmt.Errorf("expected a port from 0 to 65535, got %q", v[0])
	}
	s.port = v[0]
	return nil
}

// serve serves --port, with a session for each client. With --user-data-dir the browser has one
// context, so one client at a time is served.
func (s *mcpServer) serve() error {
	if _, err := s.states.open(&s.options); err != nil {
		return err
	}
	hosts := make([]string, len(s.hosts))
	for i, host := range s.hosts { // their host names may have ports
		if hosts[i] = host; strings.Contains(host, ":") {
			hosts[i], _, _ = net.SplitHostPort(host)
		}
	}
	o := serveOptions{options: s.options, addr: net.JoinHostPort(cmp.Or(s.host, "localhost"), s.port),
		door:  service.Door{APIKey: os.Getenv("API_KEY"), MaxBody: peerBody},
		hosts: strings.Join(hosts, ","), ttlMS: int(peerIdle.Milliseconds()), stop: peerStop,
		profile: s.listed(), peer: s}
	o.browsers.register(pflag.NewFlagSet("", pflag.ContinueOnError)) // the defaults
	o.MaxContexts = peerContexts
	if o.UserDataDir != "" {
		o.MaxContexts = 1
	}
	return runServe(o)
}

// prepare applies the settings to a client's session.
func (s *mcpServer) prepare(session *handlers.Session) error {
	return prepare(session, &s.options, &s.states, &s.peer)
}

// saved is the store of states; there is none where clients have nothing to do with each other.
func (s *mcpServer) saved() *storagestate.Store {
	if s == nil {
		return nil
	}
	return s.states.saved
}

// announce prints the server's address and an entry for a client's configuration.
func (s *mcpServer) announce(l net.Listener) {
	url := "http://" + l.Addr().String()
	if host := cmp.Or(s.host, "localhost"); host == "localhost" {
		_, port, _ := net.SplitHostPort(l.Addr().String())
		url = "http://localhost:" + port
	}
	fmt.Fprintf(os.Stderr, "Listening on %s\nPut this in your client config:\n%s\n"+
		"For older clients, use /sse in place of /mcp.\n", url,
		`{"mcpServers": {"playwright": {"url": "`+url+`/mcp"}}}`)
}
