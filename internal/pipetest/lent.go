package pipetest

import (
	"runtime"
	"strings"
	"sync"
	"testing"
)

// lent are the shared processes that tests have now. Of one kind there are no more than
// processors: who comes then waits, as another start would only take its time from
// those that run.
var lent = &lending{changed: sync.NewCond(&sync.Mutex{}), kinds: map[string]int{}, tests: map[string]int{}}

type lending struct {
	changed *sync.Cond
	kinds   map[string]int // how many of a kind are lent
	tests   map[string]int // how many a test has
}

// take waits until a test may have one, which it has until it ends. Who has one already
// does not wait, so that no two tests wait for each other.
func (l *lending) take(t testing.TB, kind string) {
	l.changed.L.Lock()
	defer l.changed.L.Unlock()
	for l.tests[root(t)] == 0 && l.kinds[kind] >= runtime.GOMAXPROCS(0) {
		l.changed.Wait()
	}
	l.kinds[kind]++
	l.tests[root(t)]++
	t.Cleanup(func() {
		l.changed.L.Lock()
		defer l.changed.L.Unlock()
		l.kinds[kind]--
		l.tests[root(t)]--
		l.changed.Broadcast()
	})
}

// root is the test that a test is part of.
func root(t testing.TB) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return name
}
