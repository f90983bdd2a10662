// Package heap reads heap snapshots of V8, as DevTools saves them, and says which
// classes and which detached nodes keep memory.
//
// A page decides how large a snapshot is and what its strings say. So a snapshot is read
// as a stream: nodes and edges become arrays of a bounded size, and of the strings only
// those are kept that the answer needs.
package heap

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Bounds of a snapshot that is analysed. At these bounds that takes some 250 MiB.
const (
	MaxNodes = 1_500_000
	MaxEdges = 6_000_000
)

// Limits of an answer, and of what is kept for it.
const (
	maxClasses = 100_000 // more count as one
	maxNamed   = 15      // that an answer names
	maxTrees   = 8
	maxSteps   = 8  // of a way to a detached node
	longestWay = 24 // that is looked at
	maxName    = 80
)

// ErrTooLarge: a snapshot has too many nodes or edges to be analysed.
var ErrTooLarge = errors.New("too large to analyse")

// Class is what the objects of one class take.
type Class struct {
	Name     string // of the constructor, or in brackets what V8 made
	Count    int    // objects
	Own      int64  // bytes of the objects themselves
	Retained int64  // bytes that would go with them
}

// Tree is a detached node, and what only it keeps alive.
type Tree struct {
	Name     string // of the topmost node
	Nodes    int    // detached ones that it keeps
	Retained int64  // bytes that would go with it
	Held     string // the shortest way to it from a root, its end
}

// Snapshot says what a heap snapshot contains. Of classes and trees it has those that
// keep most.
type Snapshot struct {
	Objects     int
	Bytes       int64 // of all objects
	Classes     []Class
	MoreClasses int // that are not listed

	Detached  int // nodes that are in no document, but that a script keeps
	Trees     []Tree
	MoreTrees int
}

// Read analyses a snapshot. mask hides secrets in its names, nil for none.
func Read(r io.Reader, mask func(string) string) (*Snapshot, error) {
	g, n, err := read(r, mask)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Objects: g.objects, Bytes: g.total, Classes: g.classes(n)}
	slices.SortFunc(s.Classes, func(a, b Class) int {
		return cmp.Or(cmp.Compare(b.Retained, a.Retained), cmp.Compare(a.Name, b.Name))
	})
	if s.MoreClasses = max(0, len(s.Classes)-maxNamed); s.MoreClasses > 0 {
		s.Classes = s.Classes[:maxNamed]
	}
	s.Detached, s.Trees, s.MoreTrees = g.detachedNodes, g.named(n), g.topmost-len(g.trees)
	return s, nil
}

// Growth is how a class differs between two snapshots.
type Growth struct {
	Name          string
	Before, After int   // objects
	Own           int64 // bytes that its objects take more
	Retained      int64 // bytes that it keeps more
}

// Comparison is what two snapshots differ in. Of the classes that differ it has those
// that grew most.
type Comparison struct {
	Objects     int   // how many more there are
	Bytes       int64 // that they take more
	Detached    int   // how many more detached nodes
	Classes     []Growth
	MoreClasses int
}

// Compare reads two snapshots, one after the other.
func Compare(before, after io.Reader, mask func(string) string) (*Comparison, error) {
	was, n, err := read(before, mask)
	if err != nil {
		return nil, fmt.Errorf("the first snapshot: %w", err)
	}
	c := &Comparison{Objects: -was.objects, Bytes: -was.total, Detached: -was.detachedNodes}
	by := map[string]Growth{}
	for _, k := range was.classes(n) {
		by[k.Name] = Growth{Name: k.Name, Before: k.Count, Own: -k.Own, Retained: -k.Retained}
	}
	was, n = nil, nil // their memory is for the second one
	is, n, err := read(after, mask)
	if err != nil {
		return nil, fmt.Errorf("the second snapshot: %w", err)
	}
	c.Objects += is.objects
	c.Bytes += is.total
	c.Detached += is.detachedNodes
	for _, k := range is.classes(n) {
		g := by[k.Name]
		by[k.Name] = Growth{k.Name, g.Before, k.Count, g.Own + k.Own, g.Retained + k.Retained}
	}
	for _, g := range by {
		if g.Before != g.After || g.Own != 0 {
			c.Classes = append(c.Classes, g)
		}
	}
	slices.SortFunc(c.Classes, func(a, b Growth) int {
		return cmp.Or(cmp.Compare(b.Retained, a.Retained), cmp.Compare(b.Own, a.Own), cmp.Compare(a.Name, b.Name))
	})
	if c.MoreClasses = max(0, len(c.Classes)-maxNamed); c.MoreClasses > 0 {
		c.Classes = c.Classes[:maxNamed]
	}
	return c, nil
}
