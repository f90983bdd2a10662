package secrets

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Store holds a set of secrets that grows during a run: values that commands print, and codes
// of log-ins. A nil Store has no secrets.
type Store struct {
	set atomic.Pointer[Set]

	mu   sync.Mutex
	pins map[string]string // where a secret is pinned to, by its name
}

// NewStore makes a store that begins with a set, nil for an empty one.
func NewStore(set *Set) *Store {
	s := &Store{pins: map[string]string{}}
	if set == nil {
		set, _ = New(nil)
	}
	s.set.Store(set)
	return s
}

// Add adds a value, or replaces the value of a name. The value is masked from now on. A request
// can use it only if its name can be written as {{NAME}}.
func (s *Store) Add(name, value string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.set.Load()
	if now.values[name] == value {
		return nil
	}
	values := maps.Clone(now.values)
	if values == nil {
		values = map[string]string{}
	}
	values[name] = value
	set, err := Marked(values, now.mask)
	if err != nil {
		return err
	}
	s.set.Store(set)
	return nil
}

// Names returns the names of the secrets that requests may use, in order.
func (s *Store) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(s.set.Load().names(), func(name string) bool { return s.pins[name] != "" })
}

// Pin keeps a secret from requests. where says who may use it.
func (s *Store) Pin(name, where string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was := s.pins[name]; was != "" && was != where {
		where = was + " and " + where
	}
	s.pins[name] = where
}

// Value returns the value of a name. Callers must not give it to a client.
func (s *Store) Value(name string) (string, bool) {
	return s.set.Load().Value(name)
}

// Resolve is [Set.Resolve], but a pinned name is an error.
func (s *Store) Resolve(text string) (string, error) {
	if s == nil || !strings.Contains(text, "{{") {
		return text, nil
	}
	s.mu.Lock()
	pins := maps.Clone(s.pins)
	s.mu.Unlock()
	for _, m := range reName.FindAllStringSubmatch(text, -1) {
		if where := pins[m[1]]; where != "" {
			return "", fmt.Errorf("%s is pinned to %s, and typed nowhere else", m[1], where)
		}
	}
	return s.set.Load().Resolve(text)
}

// names returns the names that requests can write, in order.
func (s *Set) names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.values)), func(name string) bool {
		return !reName.MatchString("{{" + name + "}}")
	})
}

// Mask is [Set.Mask].
func (s *Store) Mask(text string) string { return s.now().Mask(text) }

// MaskNumber is [Set.MaskNumber].
func (s *Store) MaskNumber(text string) (string, bool) { return s.now().MaskNumber(text) }

// Parts is [Set.Parts].
func (s *Store) Parts(text string) []Part { return s.now().Parts(text) }

// Name is [Set.Name].
func (s *Store) Name(text string) string { return s.now().Name(text) }

// Writer masks what is written to w. Each write must contain whole lines, as a logger's
// do.
func (s *Store) Writer(w io.Writer) io.Writer {
	if s == nil {
		return w
	}
	return maskWriter{s, w}
}

func (s *Store) now() *Set {
	if s == nil {
		return nil
	}
	return s.set.Load()
}
