package events

import (
	"slices"

	"pwpipe/internal/secrets"
)

// ring keeps the newest of what is pushed.
type ring[T any] struct {
	most  int
	items []T
	first int // index of the oldest, once the ring is full
}

// push adds an item; when the ring is full the oldest makes room.
func (r *ring[T]) push(v T) (old T, dropped bool) {
	if len(r.items) < r.most {
		r.items = append(r.items, v)
		return old, false
	}
	old, r.items[r.first] = r.items[r.first], v
	r.first = (r.first + 1) % r.most
	return old, true
}

// back is the item that was pushed n pushes before the newest, nil if there is
// none.
func (r *ring[T]) back(n int) *T {
	if n >= len(r.items) {
		return nil
	}
	return &r.items[(r.first+len(r.items)-1-n)%len(r.items)]
}

// all returns a copy, oldest first.
func (r *ring[T]) all() []T {
	return append(slices.Clone(r.items[r.first:]), r.items[:r.first]...)
}

func (r *ring[T]) clear() { r.items, r.first = nil, 0 }

// Clip cuts a text to at most n bytes, at a character's end.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	if n = secrets.CutAt(s, n); n == len(s) {
		return s
	}
	return s[:n] + "…"
}
