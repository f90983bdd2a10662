package service

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"pwpipe/provider"
)

// Door checks requests before they reach the tools.
type Door struct {
	APIKey        string         // "" for none: only on loopback
	Keys          *Keys          // in place of APIKey, by team; nil for none
	OperatorKey   string         // key for draining, "" for nobody
	RatePerMinute int            // requests of an address a minute, 0 for no limit
	MaxBody       int64          // bytes
	Loopback      bool           // the service listens on loopback only
	Proxies       []netip.Prefix // balancers whose X-Forwarded-For is trusted
	Hosts         []string       // names that the Host header may have besides loopback's and IP addresses, "*" for any; nil: none on loopback, else any
	Only          bool           // Hosts are all names: neither loopback's nor IP addresses are added
}

// origin refuses requests that a foreign web page could send: with a foreign Origin, or
// to a name that was redirected to us (DNS rebinding).
func (d Door) origin(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.hostAllowed(r.Host) {
			names := d.Hosts
			if !d.Only {
				names = append([]string{"localhost"}, names...)
			}
			writeStatus(w, http.StatusForbidden, provider.Errorf(provider.KindBlocked, "the Host header %q is not one of this service's names", clipPath(r.Host)).
				WithHint("Access is only allowed at %s; --allowed-hosts names others", strings.Join(names, ", ")))
			return
		}
		// A page's <img> or link sends no Origin with a GET, and a browser says this.
		foreign := func(site string) bool { return site != "none" && site != "same-origin" }
		if sites := r.Header.Values("Sec-Fetch-Site"); slices.ContainsFunc(sites, foreign) {
			writeStatus(w, http.StatusForbidden, provider.Errorf(provider.KindBlocked,
				"requests from other sites' pages are refused (Sec-Fetch-Site: %s)",
				clipPath(strings.Join(sites, ", "))).
				WithHint("open the address itself"))
			return
		}
		if o := r.Header.Get("Origin"); o != "" && !sameOrigin(o, r.Host) || cross.Check(r) != nil {
			writeStatus(w, http.StatusForbidden, provider.Errorf(provider.KindBlocked, "requests from other sites' pages are refused (Origin %q)", clipPath(o)))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostAllowed checks a Host header.
func (d Door) hostAllowed(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	ip := net.ParseIP(name)
	switch {
	case !d.Only && (name == "localhost" || strings.HasSuffix(name, ".localhost") || ip != nil && ip.IsLoopback()):
		return true
	case slices.Contains(d.Hosts, name) || slices.Contains(d.Hosts, "*"):
		return true
	case d.Loopback || d.Only:
		return false
	}
	return d.Hosts == nil || ip != nil
}

func sameOrigin(origin, host string) bool {
	_, rest, ok := strings.Cut(origin, "://")
	return ok && strings.EqualFold(rest, host)
}

// authenticate requires the API key, as x-api-key or as a bearer token. A wrong key
// counts as a guess of its address. Requests without a key have a separate count, so
// that they can't lock out clients with the key behind the same proxy or NAT.
func (d Door) authenticate(g *guesses, as string, strangers limiter) func(http.Handler) http.Handler {
	unknown := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="pwpipe"`)
		writeDevTools(w, r, http.StatusUnauthorized, provider.Errorf(provider.KindBlocked, "missing or wrong API key").WithHint("send it as x-api-key, or as a bearer token"))
	})
	keyless := strangers.middleware(unknown)
	return func(next http.Handler) http.Handler {
		if d.open() {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			key := keyOf(r.Header)
			if key == "" {
				keyless.ServeHTTP(w, r)
				return
			}
			var its *teamKeyOf
			var of *team
			ok, wait := g.judge(r, as, func() string {
				if d.Keys != nil {
					of, its = d.Keys.find(key)
				}
				if of != nil || d.Keys == nil && sameKey(key, d.APIKey) {
					return as
				}
				return ""
			})
			switch {
			case ok && of != nil:
				r, end := ofTeam(r, of.Team, its)
				defer end()
				next.ServeHTTP(w, r)
			case ok:
				next.ServeHTTP(w, r)
			case wait > 0:
				writeError(w, errGuessing(wait))
			default:
				unknown.ServeHTTP(w, r)
			}
		})
	}
}

// open reports whether clients need no key.
func (d Door) open() bool { return d.APIKey == "" && d.Keys == nil }

// ofTeam gives a request its team. The request ends with the key.
func ofTeam(r *http.Request, t provider.Team, its *teamKeyOf) (*http.Request, func()) {
	if w, ok := r.Context().Value(whoseKey{}).(*whose); ok {
		w.name = t.Name
	}
	ctx, cancel := context.WithCancel(provider.WithTeam(r.Context(), t))
	stop := context.AfterFunc(its.good, cancel)
	return r.WithContext(ctx), func() { stop(); cancel() }
}

// keyOf is the key of a request, "" for none.
func keyOf(h http.Header) string {
	key := h.Get("X-Api-Key")
	if scheme, token, ok := strings.Cut(h.Get("Authorization"), " "); ok && key == "" && strings.EqualFold(scheme, "bearer") {
		key = strings.TrimSpace(token)
	}
	return key
}

// body bounds a request's body. It refuses a declared longer body at once.
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
