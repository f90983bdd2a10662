package endpoint

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// doors admit clients to the sessions of streams: a pipe has no listening service.
var doors browser.State[*browser.Browser, door]

// door listens on loopback, from the first request for an address. Clients must know a
// token.
type door struct {
	mu     sync.Mutex
	base   string
	tokens map[[sha256.Size]byte]*browser.Session
}

// admit makes an address of the session. Each call makes another one, valid as long as
// the session.
func (d *door) admit(s *browser.Session) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.base == "" {
		address, web, err := listen(d)
		if err != nil {
			return "", err
		}
		d.base, d.tokens = "ws://"+address, map[[sha256.Size]byte]*browser.Session{}
		s.Browser.OnClose(func(context.Context) { _ = web.Close() })
	}
	token := rand.Text()
	key := sha256.Sum256([]byte(token))
	d.tokens[key] = s
	s.OnClose(func(browser.Ending) {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.tokens, key)
	})
	return d.base + browserPath + token, nil
}

// listen serves clients on loopback.
func listen(clients http.Handler) (address string, web *http.Server, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, provider.Errorf(provider.KindFailed, "can't listen for clients: %w", err)
	}
	web = &http.Server{Handler: clients, ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = web.Serve(l) }()
	return l.Addr().String(), web, nil
}

// ServeHTTP admits clients with a token. Web pages have none, and may not try: a
// browser sends their origin.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != "" || !loopback(r.Host) {
		refuse(w, http.StatusForbidden, "pages may not connect")
		return
	}
	path, own := strings.CutPrefix(r.URL.Path, Path)
	if !own {
		path = strings.TrimPrefix(r.URL.Path, browserPath)
	}
	token, _, _ := strings.Cut(path, "/")
	d.mu.Lock()
	s := d.tokens[sha256.Sum256([]byte(token))] // hashes, so that the time of a look-up reveals nothing
	d.mu.Unlock()
	if s == nil {
		refuse(w, http.StatusNotFound, "no such session: the address that session.cdp answers has a token in its path, "+
			"and json/version is below that")
		return
	}
	if err := Serve(browser.WithSession(context.WithoutCancel(r.Context()), s), w, r); err != nil {
		refuse(w, http.StatusServiceUnavailable, err.Error())
	}
}

// loopback reports whether a Host is a loopback address of this machine. Some clients,
// such as chromedriver, leave the port out.
func loopback(host string) bool {
	at, err := netip.ParseAddrPort(host)
	if err != nil {
		at, err = netip.ParseAddrPort(host + ":0")
	}
	return err == nil && at.Addr().IsLoopback()
}

// refuse answers an error that clients' parsers survive: some read the address from any
// JSON, and end the program if it is missing.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why, "webSocketDebuggerUrl": ""})
}

// ports admit clients that know only a host and a port, such as chromedriver, which
// asks for json/version there.
var ports browser.State[*browser.Session, port]

type port struct {
	mu      sync.Mutex
	address string
	url     string
}

// open opens a port for this session, for its lifetime. Every program of the machine
// can use it.
func (p *port) open(s *browser.Session) (address, url string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.address != "" {
		return p.address, p.url, nil
	}
	d := doors.Of(s.Browser)
	at, err := d.admit(s)
	if err != nil {
		return "", "", err
	}
	token := at[strings.LastIndexByte(at, '/')+1:]
	address, web, err := listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at, below := split(r.URL.Path); at == "" && below != "" {
			r.URL.Path = Path + token + below
		}
		d.ServeHTTP(w, r)
	}))
	if err != nil {
		return "", "", err
	}
	s.OnClose(func(browser.Ending) { _ = web.Close() })
	if s.Ended() { // nobody would close it
		_ = web.Close()
		return "", "", provider.Errorf(provider.KindNoTarget, "the session has ended")
	}
	p.address, p.url = address, "ws://"+address+browserPath+token
	return p.address, p.url, nil
}
