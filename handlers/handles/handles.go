// Package handles gives contexts and pages their handles (c1, p2), and lists the
// frames of a page.
package handles

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"
)

// Table gives things opaque names: p1, p2, ... A name is never used twice. The
// table remembers what became of a thing that is gone.
type Table[T comparable] struct {
	Names
	Live map[string]T
	Of   map[T]string
}

// Names are what a [Table] knows of its names, whatever has them.
type Names struct {
	prefix string
	Last   int
	Fate   map[string]string
	labels map[string]string // label -> live name
	order  []string          // live names, least recently used first
}

// MaxFates bounds how many reasons of things that are gone are kept.
const MaxFates = 1000

// New makes a table of handles: the prefix and a number.
func New[T comparable](prefix string) *Table[T] {
	return &Table[T]{Names{prefix: prefix, Fate: map[string]string{}, labels: map[string]string{}},
		map[string]T{}, map[T]string{}}
}

// Add names a thing; one that has a name keeps it.
func (h *Table[T]) Add(v T) string {
	if name, ok := h.Of[v]; ok {
		return name
	}
	h.Last++
	name := h.prefix + strconv.Itoa(h.Last)
	h.Live[name], h.Of[v] = v, name
	h.order = append(h.order, name)
	return name
}

// Remove takes a thing away and keeps why.
func (h *Table[T]) Remove(v T, fate string) (name string) {
	name, ok := h.Of[v]
	if !ok {
		return ""
	}
	delete(h.Live, name)
	delete(h.Of, v)
	h.Label(name, "")
	h.order = without(h.order, name)
	if len(h.Fate) >= MaxFates {
		clear(h.Fate)
	}
	h.Fate[name] = fate
	return name
}

// Label gives a live thing a label, in place of the one that it has; "" only takes that
// away. It returns the name of another thing that has the label, which keeps it.
func (h *Names) Label(name, label string) (taken string) {
	if other := h.labels[label]; other != "" && other != name {
		return other
	}
	maps.DeleteFunc(h.labels, func(_, n string) bool { return n == name })
	if label != "" {
		h.labels[label] = name
	}
	return ""
}

// LabelOf is the label of a thing, "" for none.
func (h *Names) LabelOf(name string) string {
	for label, n := range h.labels {
		if n == name {
			return label
		}
	}
	return ""
}

// Resolve is the name of the thing with a label, else what was given.
func (h *Names) Resolve(given string) string { return cmp.Or(h.labels[given], given) }

// Use marks a name as the one used last.
func (h *Names) Use(name string) { h.order = append(without(h.order, name), name) }

// Newest is the name used last, "" if nothing is live.
func (h *Names) Newest() string {
	if len(h.order) == 0 {
		return ""
	}
	return h.order[len(h.order)-1]
}

// Number is n of a name that is prefix+n, 0 of any other.
func (h *Names) Number(name string) int {
	digits, ok := strings.CutPrefix(name, h.prefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || h.prefix+strconv.Itoa(n) != name {
		return 0
	}
	return n
}

// Known reports whether the name was ever given.
func (h *Names) Known(name string) bool {
	n := h.Number(name)
	return n > 0 && n <= h.Last
}

// Missing words why a name can't be used, and what can.
func (h *Names) Missing(what, name string) string {
	var list []string
	byNumber := func(a, b string) int { return h.Number(a) - h.Number(b) }
	for _, live := range slices.SortedFunc(slices.Values(h.order), byNumber) {
		if label := h.LabelOf(live); label != "" {
			live += " (" + label + ")"
		}
		list = append(list, live)
	}
	open := cmp.Or(strings.Join(list, ", "), "none")
	switch fate, ok := h.Fate[name]; {
	case ok:
		return fmt.Sprintf("%s %s is gone: %s; open %ss: %s", what, name, fate, what, open)
	case h.Known(name):
		return fmt.Sprintf("%s %s is gone; open %ss: %s", what, name, what, open)
	}
	return fmt.Sprintf("no %s %s; open %ss: %s", what, name, what, open)
}

func without(list []string, s string) []string {
	return slices.DeleteFunc(list, func(e string) bool { return e == s })
}

// All are the live things in the order of their names.
func (h *Table[T]) All() []T {
	var list []T
	for n := 1; n <= h.Last && len(list) < len(h.Live); n++ {
		if v, ok := h.Live[h.prefix+strconv.Itoa(n)]; ok {
			list = append(list, v)
		}
	}
	return list
}

// Frames are a page's frames in the order in which they came, kept from
// events. playwright-go v0.6000.0 writes its own list without a lock while others read
// it, as its lists of children.
type Frames struct {
	mu   sync.Mutex
	list []playwright.Frame
}

// Watch follows a page. It is called before a script of the page can run, or
// inside an event callback, which holds other events up.
func (l *Frames) Watch(pw playwright.Page) {
	pw.OnFrameAttached(l.add)
	pw.OnFrameNavigated(l.add)
	pw.OnFrameDetached(l.remove)
	for _, f := range AttachedTo(pw.MainFrame()) {
		l.add(f)
	}
}

func (l *Frames) add(f playwright.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.list, f) && !f.IsDetached() {
		l.list = append(l.list, f)
	}
}

func (l *Frames) remove(f playwright.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(o playwright.Frame) bool { return o == f })
}

// All is page.frames: the main frame is the first.
func (l *Frames) All() []playwright.Frame {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list)
}

// Children is frame.childFrames.
func (l *Frames) Children(of playwright.Frame) []playwright.Frame {
	return slices.DeleteFunc(l.All(), func(f playwright.Frame) bool { return f.ParentFrame() != of })
}

// AttachedTo are a frame and those below it, as playwright-go knows them now.
func AttachedTo(f playwright.Frame) []playwright.Frame {
	list := []playwright.Frame{f}
	for _, child := range f.ChildFrames() {
		if !child.IsDetached() {
			list = append(list, AttachedTo(child)...)
		}
	}
	return list
}
