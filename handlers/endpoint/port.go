package endpoint

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

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
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", provider.Errorf(provider.KindFailed, "can't listen for clients: %w", err)
	}
	p.address = l.Addr().String()
	p.url = "ws://" + p.address + browserPath + token
	web := &http.Server{ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 64 << 10,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if at, below := split(r.URL.Path); at == "" && below != "" {
				r.URL.Path = Path + token + below
			}
			d.ServeHTTP(w, r)
		})}
	s.OnClose(func(browser.Ending) { _ = web.Close() })
	if s.Ended() { // nobody would close it
		_ = l.Close()
		return "", "", provider.Errorf(provider.KindNoTarget, "the session has ended")
	}
	go func() { _ = web.Serve(l) }()
	return p.address, p.url, nil
}
