package scripts

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"pwpipe/features/scripts/scripthost"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// overheard is a connection on which a script speaks plain HTTP to us, because the
// policy for the host depends on paths. Each request is judged whole and sent as it was
// judged; TLS is made here.
type overheard struct {
	to     scripthost.Address
	scheme string
	host   string // and port, as the tunnel was requested
	judge  func(url string) error
	via    *http.Transport

	ended context.Context // its cause is why the connection has ended
	fail  context.CancelCauseFunc
}

// Bounds of a script's request head, and of its silence.
const (
	longestHeader = 256 << 10
	headTime      = time.Minute
)

// Overhear answers the script's end of a connection to a host; dial connects to the
// host.
func Overhear(to scripthost.Address, judge func(url string) error, dial func(ctx context.Context) (net.Conn, error)) net.Conn {
	o := &overheard{to: to, scheme: "http", host: to.HostPort(), judge: judge}
	o.ended, o.fail = context.WithCancelCause(context.Background())
	if to.TLS {
		o.scheme = "https"
	}
	o.via = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }, DisableCompression: true,
		TLSClientConfig: &tls.Config{ServerName: to.Host, InsecureSkipVerify: to.Insecure}, ExpectContinueTimeout: time.Second}
	scriptEnd, ours := net.Pipe()
	one := &single{conn: ours, ended: make(chan struct{})}
	server := &http.Server{Handler: o, ReadHeaderTimeout: headTime, MaxHeaderBytes: longestHeader, ErrorLog: log.New(io.Discard, "", 0), DisableGeneralOptionsHandler: true,
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateClosed || s == http.StateHijacked {
				_ = one.Close()
				o.via.CloseIdleConnections()
			}
		}}
	go func() { _ = server.Serve(one) }()
	return &hearing{scriptEnd, o}
}

// ServeHTTP handles a request of the script.
func (o *overheard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at, err := o.target(r)
	if err == nil {
		err = o.judge(at.String())
	}
	if err != nil {
		o.end(err)
	}
	w.Header()["Date"], w.Header()["Content-Type"] = nil, nil // the server's own, or none
	(&httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL, p.Out.Host = at, at.Host // the server gets exactly what was judged
			if p.In.Header.Get("User-Agent") == "" {
				p.Out.Header.Set("User-Agent", "")
			}
		},
		Transport: o.via, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) { o.end(o.asNode(err)) },
	}).ServeHTTP(w, r)
}

// target is a request's URL in browsers' form: a path of the connection's host.
// Everything else is refused.
func (o *overheard) target(r *http.Request) (*url.URL, error) {
	port := map[string]string{"http": ":80", "https": ":443"}[o.scheme]
	host := strings.TrimSuffix(o.host, port)
	switch {
	case r.Method == http.MethodConnect || !strings.HasPrefix(r.RequestURI, "/"):
		return nil, o.blocked("only paths of the host can be asked for here")
	case !strings.EqualFold(strings.TrimSuffix(r.Host, port), host):
		return nil, o.blocked("the request is for another host than the connection")
	case r.Header.Get("Upgrade") != "" || r.ProtoMajor != 1:
		return nil, o.blocked("nothing but HTTP/1 can be spoken here: the policy tells paths apart")
	}
	written := policy.Resolve(r.RequestURI, o.scheme+"://"+host)
	at, err := url.Parse(written)
	if err != nil || at.Scheme != o.scheme || !strings.EqualFold(at.Host, host) || at.User != nil {
		return nil, o.blocked("the path can't be judged")
	}
	at.Fragment, at.RawFragment = "", ""
	if path, _, _ := strings.Cut(written, "#"); at.String() != path { // Go would write it in another way
		return nil, o.blocked("the path can't be judged")
	}
	return at, nil
}

func (o *overheard) blocked(why string) error {
	return provider.Errorf(provider.KindBlocked, "blocked: %s://%s: %s", o.scheme, o.host, why)
}

// end ends the connection with an error for its reader.
func (o *overheard) end(err error) {
	o.fail(err)
	panic(http.ErrAbortHandler)
}

// asNode makes an error of TLS read as Node's.
func (o *overheard) asNode(err error) error {
	var unknown x509.UnknownAuthorityError
	var other x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &unknown) && unknown.Cert != nil && unknown.Cert.CheckSignatureFrom(unknown.Cert) == nil:
		return errors.New("self-signed certificate")
	case errors.As(err, &unknown):
		return errors.New("unable to verify the first certificate")
	case errors.As(err, &other):
		return errors.New("Hostname/IP does not match certificate's altnames: Host: " + o.to.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return errors.New("certificate has expired")
	}
	return asNode(err, o.to.Host, o.host)
}

// hearing is the script's end of the connection.
type hearing struct {
	net.Conn
	of *overheard
}

func (h *hearing) Read(p []byte) (int, error) {
	n, err := h.Conn.Read(p)
	return n, h.reason(err)
}

func (h *hearing) Write(p []byte) (int, error) {
	n, err := h.Conn.Write(p)
	return n, h.reason(err)
}

// reason is the error of the script's end: the reason, if it is known.
func (h *hearing) reason(err error) error {
	if why := context.Cause(h.of.ended); err != nil && why != nil {
		return scripthost.ScriptError{Err: why}
	}
	return err
}

// single is a listener for one connection.
type single struct {
	conn  net.Conn
	taken sync.Once
	ended chan struct{}
	once  sync.Once
}

func (s *single) Accept() (c net.Conn, err error) {
	s.taken.Do(func() { c = s.conn })
	if c != nil {
		return c, nil
	}
	<-s.ended
	return nil, net.ErrClosed
}

func (s *single) Close() error   { s.once.Do(func() { close(s.ended) }); return nil }
func (s *single) Addr() net.Addr { return s.conn.LocalAddr() }
