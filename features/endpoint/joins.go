package endpoint

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"

	"pwpipe/provider"
)

// Bounds of tokens.
const (
	tokenTime = 5 * time.Minute // how long a token admits clients
	maxTokens = 1000            // valid at a time
)

// Joins are tokens that admit clients of a service to one session each, for a short
// time and without the API key: many clients send no headers.
type Joins struct {
	mu   sync.Mutex
	list map[[sha256.Size]byte]join
}

type join struct {
	session string
	until   time.Time
}

// give makes a token for a session.
func (j *Joins) give(session string) (string, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	for key, one := range j.list {
		if now.After(one.until) {
			delete(j.list, key)
		}
	}
	if len(j.list) >= maxTokens {
		return "", provider.Errorf(provider.KindLimit, "%d tokens for clients are valid already", maxTokens).
			WithHint("each expires after %s", tokenTime)
	}
	if j.list == nil {
		j.list = map[[sha256.Size]byte]join{}
	}
	token := rand.Text()
	j.list[sha256.Sum256([]byte(token))] = join{session, now.Add(tokenTime)}
	return token, nil
}

// Let reports whether a token admits to a session.
func (j *Joins) Let(session, token string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	one, given := j.list[sha256.Sum256([]byte(token))] // hashes, so that the time of a look-up reveals nothing
	return given && one.session == session && time.Now().Before(one.until)
}

type placeKey struct{}

// place is where a service serves the sessions.
type place struct {
	base  string
	joins *Joins
}

// WithBase sets where the sessions of calls under ctx are served, such as
// ws://127.0.0.1:3337, and the tokens that admit clients there.
func WithBase(ctx context.Context, base string, joins *Joins) context.Context {
	return context.WithValue(ctx, placeKey{}, place{base, joins})
}

// address of a session of the service.
func (p place) address(session string, token bool) (string, error) {
	at, name := p.base+Path+session, session
	if token {
		given, err := p.joins.give(session)
		if err != nil {
			return "", err
		}
		at, name = at+"/token/"+given, given
	}
	return at + browserPath + name, nil
}
