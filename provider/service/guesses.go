package service

import (
	"context"
	"crypto/rand"
	"maps"
	"math"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/httprate"

	"pwpipe/provider"
)

// Bounds of wrong keys, for all doors together.
const (
	wrongKeys   = 20  // of an address in wrongTime
	wrongOfAll  = 200 // of all addresses; above it only addresses that had a right key are served
	wrongTime   = time.Minute
	provenTime  = time.Hour // since the last right key
	maxProven   = 4096
	provenWords = 32 // a shorter word could be guessed itself
)

// The roles that keys prove. Proof of one role does not count for another.
const (
	asClient   = "client"
	asOperator = "operator"
)

// guesses counts wrong keys and stops guessing: above the bound no key is checked, not
// even a right one, since otherwise guessing would go on. A client that had a right key
// before is known by its connection or its session's id, which others at the same
// address lack. It has a separate count.
type guesses struct {
	mu     sync.Mutex
	wrong  map[string][]time.Time // the last ones, by address
	proven map[string]time.Time   // proofs: words of requests with a right key
	clock  func() time.Time
}

func newGuesses() *guesses {
	return &guesses{wrong: map[string][]time.Time{}, proven: map[string]time.Time{}, clock: time.Now}
}

// judge checks a key for a role. right answers the role that the key proves, "" for a
// wrong key. judge does not call it while the client must wait.
func (g *guesses) judge(r *http.Request, as string, right func() string) (ok bool, wait time.Duration) {
	at, err := httprate.KeyByIP(r)
	if err != nil {
		at = r.RemoteAddr
	}
	words := wordsOf(r, at)
	g.mu.Lock()
	defer g.mu.Unlock()
	now, counted := g.clock(), at
	for _, word := range words {
		if g.isProven(as, word, now) {
			counted = "proven " + at
		}
	}
	wait = g.full(counted, wrongKeys, now)
	if counted == at && !g.isProven(as, at, now) {
		wait = max(wait, g.full("", wrongOfAll, now))
	}
	if wait > 0 {
		return false, wait
	}
	if who := right(); who != "" {
		g.remember(who, append(words, at), now)
		return true, 0
	}
	for _, word := range words { // a proof is good for one wrong key
		delete(g.proven, as+" "+word)
	}
	g.add(counted, now)
	return false, 0
}

func (g *guesses) isProven(as, word string, now time.Time) bool {
	last, ok := g.proven[as+" "+word]
	return ok && now.Sub(last) < provenTime
}

// full is how long a client must wait until its key is checked.
func (g *guesses) full(counted string, most int, now time.Time) time.Duration {
	times := g.wrong[counted]
	for len(times) > 0 && now.Sub(times[0]) >= wrongTime {
		times = times[1:]
	}
	if g.wrong[counted] = times; len(times) == 0 {
		delete(g.wrong, counted)
	}
	if len(times) < most {
		return 0
	}
	return wrongTime - now.Sub(times[len(times)-most])
}

// add counts a wrong key. It drops expired ones, so that only a minute's wrong keys are
// kept.
func (g *guesses) add(counted string, now time.Time) {
	g.wrong[counted] = append(g.wrong[counted], now)
	all := append(g.wrong[""], now)
	g.wrong[""] = all[max(len(all)-wrongOfAll, 0):]
	for who, times := range g.wrong {
		if now.Sub(times[len(times)-1]) >= wrongTime {
			delete(g.wrong, who)
		}
	}
}

func (g *guesses) remember(as string, words []string, now time.Time) {
	for _, word := range words {
		g.proven[as+" "+word] = now
	}
	if len(g.proven) < maxProven {
		return
	}
	maps.DeleteFunc(g.proven, func(_ string, last time.Time) bool { return now.Sub(last) >= provenTime })
	for word := range g.proven {
		if len(g.proven) < maxProven*3/4 {
			return
		}
		delete(g.proven, word)
	}
}

type connectionKey struct{}

// named gives a connection a word that identifies its requests.
func named(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, rand.Text())
}

// wordsOf are the words of a request that others at its address don't have.
func wordsOf(r *http.Request, at string) (words []string) {
	if word, ok := r.Context().Value(connectionKey{}).(string); ok {
		words = append(words, word+" of "+at) // a balancer's connection has many people's requests
	}
	for _, id := range []string{namedBy(r), r.Header.Get("Mcp-Session-Id"), chi.URLParam(r, "session")} {
		if len(id) >= provenWords && len(id) < 200 {
			words = append(words, id)
		}
	}
	return words
}

// errGuessing says how long the client must wait.
func errGuessing(wait time.Duration) error {
	err := provider.Errorf(provider.KindLimit, "too many wrong keys").
		WithHint("until the time in Retry-After is over, every key from this address is refused, even a right one")
	err.RetryAfter = int(math.Ceil(wait.Seconds()))
	return err
}
