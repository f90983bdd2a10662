package service

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"math"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Bounds of log-ins.
const (
	ticketTime = 12 * time.Hour // then the page asks for the key again
	maxTickets = 256            // above it the oldest with the same rights goes
	maxForm    = 4 << 10        // bytes of the form
)

// tickets are the log-ins: each is a random word in a cookie, not the key.
type tickets struct {
	mu   sync.Mutex
	once string // a one-time key, "" for none
	of   map[[sha256.Size]byte]ticket
}

// ticket is the rights of one log-in.
type ticket struct {
	all  bool
	team string     // "" for no team's
	key  *teamKeyOf // that it was given for, nil for another
	till time.Time
}

// give makes a ticket and answers its word.
func (t *tickets) give(right ticket) string {
	word := rand.Text()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[[sha256.Size]byte]ticket{}
	}
	var oldest [sha256.Size]byte
	alike, till := 0, time.Now().Add(2*ticketTime)
	for word, own := range t.of {
		if own.all != right.all || own.team != right.team { // clients must not log the operator out by logging in
			continue
		}
		if alike++; own.till.Before(till) {
			oldest, till = word, own.till
		}
	}
	if alike >= maxTickets {
		delete(t.of, oldest)
	}
	right.till = time.Now().Add(ticketTime)
	t.of[sha256.Sum256([]byte(word))] = right
	return word
}

// find is the ticket of a word. It compares hashes, so the time tells nothing about the
// word.
func (t *tickets) find(word string) (ticket, bool) {
	key := sha256.Sum256([]byte(word))
	t.mu.Lock()
	defer t.mu.Unlock()
	own, ok := t.of[key]
	if ok && (time.Now().After(own.till) || own.key != nil && own.key.good.Err() != nil) {
		delete(t.of, key)
		ok = false
	}
	return own, ok
}

func (t *tickets) drop(word string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.of, sha256.Sum256([]byte(word)))
}

// NewKey makes another one-time key of a page that is served. A key before it that
// nobody has used is good no more.
func (p *Page) NewKey() string {
	p.tickets.mu.Lock()
	defer p.tickets.mu.Unlock()
	p.tickets.once = rand.Text()
	return p.tickets.once
}

// spend reports whether a key is the one-time key, and removes it.
func (t *tickets) spend(key string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !sameKey(key, t.once) {
		return false
	}
	t.once = ""
	return true
}

// sameKey compares two keys in constant time. An empty key matches nothing.
func sameKey(got, want string) bool {
	a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1 && want != ""
}

// cookieName contains the port: cookies don't distinguish ports, and two services on a
// machine would log each other's people out.
func cookieName(r *http.Request) string {
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return "pwpipe-watch-" + port
	}
	return "pwpipe-watch"
}

// lets reports whether a request is logged in, and whether it may see everything.
func (p *Page) lets(r *http.Request) (right ticket, ok bool) {
	if c, err := r.Cookie(cookieName(r)); err == nil {
		if t, ok := p.tickets.find(c.Value); ok {
			return t, true
		}
	}
	return ticket{}, p.Keyless && p.Door.open()
}

// login is POST /watch/login: it exchanges a key for a cookie. Wrong keys are counted
// as at every other door.
func (p *Page) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if r.ContentLength > maxForm || r.ParseForm() != nil {
		w.Header().Set("Connection", "close")
		writeTooLarge(w, maxForm)
		return
	}
	who, key, right := "", r.PostForm.Get("key"), ticket{}
	ok, wait := p.guesses.judge(r, asOperator, func() string {
		switch {
		case sameKey(key, p.Door.OperatorKey) || p.tickets.spend(key):
			who, right.all = asOperator, true
		case p.Door.Keys != nil:
			if t, its := p.Door.Keys.find(key); t != nil {
				who, right.team, right.key = asClient, t.Name, its
			}
		case sameKey(key, p.Door.APIKey):
			who = asClient
		}
		return who
	})
	switch {
	case ok:
		p.setCookie(w, r, p.tickets.give(right), int(ticketTime.Seconds()))
		http.Redirect(w, r, "/", http.StatusSeeOther)
	case wait > 0:
		again := int(math.Ceil(wait.Seconds()))
		w.Header().Set("Retry-After", strconv.Itoa(again))
		p.askKey(w, http.StatusTooManyRequests, asked{Wrong: true, Wait: again})
	default:
		p.askKey(w, http.StatusUnauthorized, asked{Wrong: true})
	}
}

// logout is POST /watch/logout.
func (p *Page) logout(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(cookieName(r)); err == nil {
		p.tickets.drop(c.Value)
	}
	p.setCookie(w, r, "", -1)
	http.Redirect(w, r, "/watch/login", http.StatusSeeOther)
}

func (p *Page) setCookie(w http.ResponseWriter, r *http.Request, word string, seconds int) {
	http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: word, Path: "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"})
}

// seal sets the headers of every answer: browsers must not guess another type, and
// nobody may cache it.
func seal(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
}

// sealed seals every answer, whatever a handler set: the MCP SDK sets its own
// Cache-Control.
func sealed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&sealedWriter{w}, r)
	})
}

type sealedWriter struct{ http.ResponseWriter }

func (w *sealedWriter) WriteHeader(status int) {
	seal(w.Header())
	w.ResponseWriter.WriteHeader(status)
}

func (w *sealedWriter) Write(p []byte) (int, error) {
	seal(w.Header()) // only the first call has an effect
	return w.ResponseWriter.Write(p)
}

// Unwrap implements the interface of http.ResponseController.
func (w *sealedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements http.Flusher for code that does not use a ResponseController.
func (w *sealedWriter) Flush() {
	seal(w.Header())
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Hijack implements http.Hijacker, with which a WebSocket takes the connection.
func (w *sealedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}
