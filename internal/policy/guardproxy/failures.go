package guardproxy

import (
	"net"
	"sync"

	"pwpipe/internal/policy"
)

// failures are the reasons of the last failures to reach hosts and ports. The browser
// gets no reason, only a closed connection.
type failures struct {
	mu sync.Mutex
	of map[string]error
}

// maxFailures bounds the kept reasons, since a page may try many hosts.
const maxFailures = 1000

// keyOf writes a host and a port in one form.
func keyOf(hostport string) string {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return hostport
	}
	if c, err := policy.Canonical(host); err == nil {
		host = c
	}
	return host + ":" + port
}

func (f *failures) note(hostport string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil || len(f.of) >= maxFailures {
		f.of = map[string]error{}
	}
	f.of[keyOf(hostport)] = err
}

func (f *failures) clear(hostport string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.of, keyOf(hostport))
}

// Failure is why the last attempt to reach the host and port of a URL failed, nil if it
// did not: a [policy.Refusal], or an error of package net.
func (p *Proxy) Failure(url string) error {
	hostport, ok := policy.HostPort(url)
	if !ok {
		return nil
	}
	p.failures.mu.Lock()
	defer p.failures.mu.Unlock()
	return p.failures.of[keyOf(hostport)]
}
