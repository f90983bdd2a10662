package service

import (
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"pwpipe/provider"
)

// limiter counts the requests of each address.
type limiter struct {
	limit int
	rate  *httprate.RateLimiter
}

func newLimiter(perMinute int) limiter {
	l := limiter{limit: perMinute}
	if perMinute > 0 {
		l.rate = httprate.NewRateLimiter(perMinute, time.Minute, httprate.WithKeyByIP(), httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
			writeStatus(w, http.StatusTooManyRequests, provider.Errorf(provider.KindLimit, "more than %d requests in a minute", perMinute).WithHint("try again after the time in Retry-After"))
		}))
	}
	return l
}

func (l limiter) middleware(next http.Handler) http.Handler {
	if l.rate == nil {
		return next
	}
	return l.rate.Handler(next)
}

// take counts n more requests of a batch or a socket towards the limit of r's address.
// It reports whether the limit allows them.
func (l limiter) take(r *http.Request, n int) bool {
	if l.rate == nil || n <= 0 {
		return true
	}
	key, err := httprate.KeyByIP(r)
	if err != nil {
		return false
	}
	ctx := httprate.WithIncrement(r.Context(), n)
	return !l.rate.OnLimit(discardHeaders{}, r.WithContext(ctx), key)
}

// discardHeaders drops the rate limiter's headers when there is no response for them.
type discardHeaders struct{}

func (discardHeaders) Header() http.Header         { return http.Header{} }
func (discardHeaders) Write(p []byte) (int, error) { return len(p), nil }
func (discardHeaders) WriteHeader(int)             {}
