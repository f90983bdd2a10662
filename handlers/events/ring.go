package events

import (
	"slices"

	"pwpipe/internal/text/secrets"
)

// ring keeps the newest items.
type ring[T any] struct {
	most  int
	items []T // the oldest first
}

// push adds an item. If the ring is full, it drops and returns the oldest.
func (r *ring[T]) push(v T) (old T, dropped bool) {
	if dropped = len(r.items) == r.most; dropped {
		old = r.shift()
	}
	r.items = append(r.items, v)
	return old, dropped
}

// shift drops the oldest item. The ring must not be empty.
func (r *ring[T]) shift() (old T) {
	var none T
	old, r.items[0] = r.items[0], none // free its memory
	r.items = r.items[1:]
	return old
}

// back is the item n pushes before the newest, nil if there is none.
func (r *ring[T]) back(n int) *T {
	if n >= len(r.items) {
		return nil
	}
	return &r.items[len(r.items)-1-n]
}

// all returns a copy, oldest first.
func (r *ring[T]) all() []T { return slices.Clone(r.items) }

func (r *ring[T]) clear() { r.items = nil }

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
