package cdpview

import (
	"maps"
	"math"
	"slices"
	"sync"
)

// set is a set with its own lock. Its zero value is empty.
type set[K comparable] struct {
	mu      sync.Mutex
	members map[K]bool
	closed  bool
}

// add adds a member. It reports false once the set is closed.
func (s *set[K]) add(k K) bool { return s.addBounded(k, math.MaxInt) }

// addBounded is add for a set of limited size: if it is full, another member makes room.
func (s *set[K]) addBounded(k K, limit int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	for other := range s.members {
		if len(s.members) < limit {
			break
		}
		delete(s.members, other)
	}
	if s.members == nil {
		s.members = map[K]bool{}
	}
	s.members[k] = true
	return true
}

func (s *set[K]) contains(k K) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.members[k]
}

// remove reports whether the set had the member.
func (s *set[K]) remove(k K) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	had := s.members[k]
	delete(s.members, k)
	return had
}

// list returns the members, in no order.
func (s *set[K]) list() []K {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.AppendSeq([]K{}, maps.Keys(s.members))
}

// close empties the set for good, and returns what was in it.
func (s *set[K]) close() []K {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := slices.Collect(maps.Keys(s.members))
	s.members, s.closed = nil, true
	return last
}
