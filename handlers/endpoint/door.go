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

// doors let clients into the sessions of streams: a pipe has no service that
// listens already.
var doors browser.State[*browser.Browser, door]

// door listens on loopback, from the first time that an address is asked for.
// Who connects has to know a token.
type door struct {
	mu     sync.Mutex
	base   string
	tokens map[[sha256.Size]byte]*browser.Session
}

// admit is the address of a session. It is another each time, and holds for as
// long as the session does.
func (d *door) admit(s *browser.Session) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.base == "" {
		if err := d.open(s.Browser); err != nil {
			return "", provider.Errorf(provider.KindFailed, "can't listen for clients: %w", err)
		}
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

// open starts to listen. The lock is held.
func (d *door) open(b *browser.Browser) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	d.base, d.tokens = "ws://"+l.Addr().String(), map[[sha256.Size]byte]*browser.Session{}
	web := &http.Server{Handler: d, ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 64 << 10}
	b.OnClose(func(context.Context) { _ = web.Close() })
	go func() { _ = web.Serve(l) }()
	return nil
}

// ServeHTTP lets in who has a token. Pages of the web have none, and may not
// try: a browser says where they are from.
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
	s := d.tokens[sha256.Sum256([]byte(token))] // hashes tell nothing by the time it takes to find them
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

// loopback says whether a Host is an address of this machine's own. Some clients, such as
// chromedriver, leave the port out.
func loopback(host string) bool {
	at, err := netip.ParseAddrPort(host)
	if err != nil {
		at, err = netip.ParseAddrPort(host + ":0")
	}
	return err == nil && at.Addr().IsLoopback()
}

// refuse answers an error that clients' parsers survive: some take the address out of
// whatever JSON comes, and stop the program where there is none.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why, "webSocketDebuggerUrl": ""})
}
