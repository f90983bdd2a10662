package guardproxy

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// maxHeaders bounds the headers of an answer, in bytes.
const maxHeaders = 256 << 10

// Transport is for requests that pwpipe sends by itself: hosts and addresses are judged as
// those of a browser are, and each connection goes to exactly the address that was judged.
// The caller judges the rest of the URL. No variable of the environment leads around it,
// and nothing listens.
type Transport struct {
	*http.Transport
	up *Upstream
}

// NewTransport makes one.
func NewTransport(o Options) *Transport {
	p := newProxy(o)
	return &Transport{&http.Transport{Proxy: o.Upstream.forPlain, DialContext: p.dialPlain,
		OnProxyConnectResponse: madeTunnel, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: maxHeaders,
		TLSHandshakeTimeout: dialTime, IdleConnTimeout: 10 * time.Second}, o.Upstream}
}

// RoundTrip sends a request: http.RoundTripper. A refusal of the upstream proxy itself is an
// error: pages get none of its words.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.Transport.RoundTrip(r)
	if err == nil && answer.StatusCode == http.StatusProxyAuthRequired && t.up.serves(r.URL.Hostname()) {
		_ = answer.Body.Close()
		return nil, fmt.Errorf("%w: %w", ErrUpstream, errLogin)
	}
	return answer, err
}

// madeTunnel is the error for an upstream proxy that makes no tunnel.
func madeTunnel(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	switch answer.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusProxyAuthRequired:
		return fmt.Errorf("%w: %w", ErrUpstream, errLogin)
	}
	return fmt.Errorf("%w: it answered %d", ErrUpstream, answer.StatusCode)
}
