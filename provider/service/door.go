package service

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"pwpipe/provider"
)

// Door is what stands between clients and the tools.
type Door struct {
	APIKey        string         // "" for none: only on loopback
	OperatorKey   string         // of who may have the service drained, "" for nobody
	RatePerMinute int            // requests of an address a minute, 0 for no limit
	MaxBody       int64          // bytes
	Loopback      bool           // the service listens on loopback only
	Proxies       []netip.Prefix // balancers whose word it is who asks
	Hosts         []string       // names that the Host header may have besides loopback's and IP addresses; nil: on loopback none, else any
}

// origin refuses what a web page of someone else's could send: a request with
// a foreign Origin, or one to a name that was pointed at us (DNS rebinding).
func (d Door) origin(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.hostAllowed(r.Host) {
			writeStatus(w, http.StatusForbidden, provider.Errorf(provider.KindBlocked, "the Host header %q is not one of this service's names", clipPath(r.Host)).
				WithHint("--allowed-hosts adds names"))
			return
		}
		if o := r.Header.Get("Origin"); o != "" && !sameOrigin(o, r.Host) || cross.Check(r) != nil {
			writeStatus(w, http.StatusForbidden, provider.Errorf(provider.KindBlocked, "requests from other sites' pages are refused (Origin %q)", clipPath(o)))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostAllowed judges a Host header.
func (d Door) hostAllowed(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	ip := net.ParseIP(name)
	switch {
	case name == "localhost" || strings.HasSuffix(name, ".localhost") || ip != nil && ip.IsLoopback():
		return true
	case slices.Contains(d.Hosts, name):
		return true
	case d.Loopback:
		return false
	}
	return d.Hosts == nil || ip != nil
}

func sameOrigin(origin, host string) bool {
	_, rest, ok := strings.Cut(origin, "://")
	return ok && strings.EqualFold(rest, host)
}

// authenticate wants the API key, as x-api-key or as a bearer token. Those
// without are counted by themselves: who shares an address with them (a proxy,
// a NAT) has the key, and is not to be locked out by them.
func (d Door) authenticate(strangers limiter) func(http.Handler) http.Handler {
	refused := strangers.middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="pwpipe"`)
		writeStatus(w, http.StatusUnauthorized, provider.Errorf(provider.KindBlocked, "missing or wrong API key").WithHint("send it as x-api-key, or as a bearer token"))
	}))
	return func(next http.Handler) http.Handler {
		if d.APIKey == "" {
			return next
		}
		return d.keyed(next, refused)
	}
}

// keyed hands requests with the key on, and others to refused.
func (d Door) keyed(next, refused http.Handler) http.Handler {
	want := sha256.Sum256([]byte(d.APIKey)) // hashes are of one length, so the comparison's time tells nothing
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("X-Api-Key")
		if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && key == "" && strings.EqualFold(scheme, "bearer") {
			key = strings.TrimSpace(token)
		}
		got := sha256.Sum256([]byte(key))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			refused.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// body caps what is read of a request. One that says beforehand that it is
// longer is not waited for.
func (d Door) body(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > d.MaxBody {
			w.Header().Set("Connection", "close") // else what is still to come would be read
			writeTooLarge(w, d.MaxBody)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, d.MaxBody)
		next.ServeHTTP(w, r)
	})
}
