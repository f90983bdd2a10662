package handlers

import (
	"fmt"
	"strconv"
	"strings"
)

// handles gives things opaque names: p1, p2, ... A name is never used twice,
// and a thing that is gone leaves word of what became of it.
type handles[T comparable] struct {
	prefix string
	last   int
	live   map[string]T
	names  map[T]string
	fate   map[string]string
	order  []string // live names, least recently used first
}

// maxFates bounds how many stories of gone things are kept.
const maxFates = 1000

func newHandles[T comparable](prefix string) *handles[T] {
	return &handles[T]{prefix: prefix, live: map[string]T{}, names: map[T]string{}, fate: map[string]string{}}
}

// add names a thing; one that has a name keeps it.
func (h *handles[T]) add(v T) string {
	if name, ok := h.names[v]; ok {
		return name
	}
	h.last++
	name := h.prefix + strconv.Itoa(h.last)
	h.live[name], h.names[v] = v, name
	h.order = append(h.order, name)
	return name
}

// remove takes a thing away and keeps why.
func (h *handles[T]) remove(v T, fate string) (name string) {
	name, ok := h.names[v]
	if !ok {
		return ""
	}
	delete(h.live, name)
	delete(h.names, v)
	h.order = without(h.order, name)
	if len(h.fate) >= maxFates {
		clear(h.fate)
	}
	h.fate[name] = fate
	return name
}

// use marks a name as the one used last.
func (h *handles[T]) use(name string) { h.order = append(without(h.order, name), name) }

// newest is the name used last, "" if nothing is live.
func (h *handles[T]) newest() string {
	if len(h.order) == 0 {
		return ""
	}
	return h.order[len(h.order)-1]
}

// number is n of a name that is prefix+n, 0 of any other.
func (h *handles[T]) number(name string) int {
	digits, ok := strings.CutPrefix(name, h.prefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || h.prefix+strconv.Itoa(n) != name {
		return 0
	}
	return n
}

// known reports whether the name was ever given.
func (h *handles[T]) known(name string) bool {
	n := h.number(name)
	return n > 0 && n <= h.last
}

// missing words why a name can't be used, and what can.
func (h *handles[T]) missing(what, name string) string {
	open := "none"
	if len(h.live) > 0 {
		var list []string
		for n := 1; n <= h.last; n++ {
			if name := h.prefix + strconv.Itoa(n); h.hasLive(name) {
				list = append(list, name)
			}
		}
		open = strings.Join(list, ", ")
	}
	switch fate, ok := h.fate[name]; {
	case ok:
		return fmt.Sprintf("%s %s is gone: %s; open %ss: %s", what, name, fate, what, open)
	case h.known(name):
		return fmt.Sprintf("%s %s is gone; open %ss: %s", what, name, what, open)
	}
	return fmt.Sprintf("no %s %s; open %ss: %s", what, name, what, open)
}

func (h *handles[T]) hasLive(name string) bool { _, ok := h.live[name]; return ok }

func without(list []string, s string) []string {
	for i, e := range list {
		if e == s {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}

// all are the live things in the order of their names.
func (h *handles[T]) all() []T {
	var list []T
	for n := 1; n <= h.last && len(list) < len(h.live); n++ {
		if v, ok := h.live[h.prefix+strconv.Itoa(n)]; ok {
			list = append(list, v)
		}
	}
	return list
}
