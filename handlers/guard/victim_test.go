package guard_test

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
)

// victim is another host: servers on a second loopback address that record
// everything that reaches them.
type victim struct {
	host string            // the address it listens on
	rest http.Handler      // for paths outside /hit/, nil for the same handler
	addr string            // HOST:PORT of the web server
	raw  map[string]string // attempts other than HTTP requests -> HOST:PORT

	mu   sync.Mutex
	hits map[string]int // attempt -> number of hits
}

const secondHost = "127.0.0.2"

// overTCP and overUDP are the attempts of escape.js with ports of their own.
var (
	overTCP = []string{"https", "wss", "preconnect", "turn-tcp", "turns-tcp"}
	overUDP = []string{"stun-udp", "turn-udp", "webtransport"}
)

func newVictim(t *testing.T) *victim {
	t.Helper()
	return newVictimOn(t, secondHost, nil)
}

// newVictimOn is a victim on this host, with a site around it.
func newVictimOn(t *testing.T, host string, rest http.Handler) *victim {
	t.Helper()
	v := &victim{host: host, rest: rest, raw: map[string]string{}, hits: map[string]int{}}
	ln := v.listen(t, "")
	v.addr = ln.Addr().String()
	s := &http.Server{Handler: v, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.Serve(ln) }()
	t.Cleanup(func() { _ = s.Close() })
	for _, name := range overTCP {
		ln := v.listen(t, name)
		v.raw[name] = ln.Addr().String()
		go func() {
			for {
				c, err := ln.Accept()
				if err != nil {
					return
				}
				_ = c.Close()
			}
		}()
	}
	for _, name := range overUDP {
		c, err := net.ListenPacket("udp", v.host+":0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		v.raw[name] = c.LocalAddr().String()
		go func() {
			for b := make([]byte, 2048); ; {
				if _, _, err := c.ReadFrom(b); err != nil {
					return
				}
				v.hit(name)
			}
		}()
	}
	return v
}

// listen opens a port that counts connections before anything is read. The web
// server also counts by name in ServeHTTP.
func (v *victim) listen(t *testing.T, name string) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", v.host+":0")
	if err != nil {
		t.Skipf("this system has no second loopback address: %v", err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	if name == "" && v.rest != nil {
		return ln // connections may be for the site
	}
	if name == "" {
		name = "connection"
	}
	return countingListener{ln, func() { v.hit(name) }}
}

type countingListener struct {
	net.Listener
	count func()
}

func (l countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.count()
	}
	return c, err
}

func (v *victim) hit(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hits[name]++
}

func (v *victim) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if v.rest != nil && !strings.HasPrefix(r.URL.Path, "/hit/") {
		v.rest.ServeHTTP(w, r)
		return
	}
	v.hit(strings.TrimPrefix(r.URL.Path, "/hit/"))
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Headers", "*")
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, "<title>the other host</title><h1>stolen</h1>")
}

// names lists the attempts that succeeded.
func (v *victim) names() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var list []string
	for name := range v.hits {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

// url is a URL on the other host.
func (v *victim) url(name string) string { return "http://" + v.addr + "/hit/" + name }

// escapePage is the sample site's page that tries to reach the victim.
func (v *victim) escapePage() string {
	q := url.Values{"to": {v.addr}}
	for name, addr := range v.raw {
		q.Set(name, addr)
	}
	return "/escape/?" + q.Encode()
}
