package pipetest

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// lent are the shared processes that tests use now. Of each kind there are no more than
// processors, and another starts only after a wait, since a start slows down running
// tests.
var lent = &lending{changed: sync.NewCond(&sync.Mutex{}), kinds: map[string]*lentKind{}, tests: map[string]int{}}

type lending struct {
	changed *sync.Cond
	kinds   map[string]*lentKind
	tests   map[string]int // number of processes of each test
}

// lentKind is how many of a kind are lent, and the most at once so far.
type lentKind struct{ now, most int }

// shortWait is how long a test waits for another's process before it starts one.
const shortWait = 2 * time.Second

// take waits until a test may have a process, which it keeps until it ends. A test that
// has one does not wait, so that no two tests wait for each other.
func (l *lending) take(t testing.TB, kind string) {
	l.changed.L.Lock()
	defer l.changed.L.Unlock()
	k := l.kinds[kind]
	if k == nil {
		k = &lentKind{most: 1}
		l.kinds[kind] = k
	}
	waited := false
	defer time.AfterFunc(shortWait, func() {
		l.changed.L.Lock()
		defer l.changed.L.Unlock()
		waited = true
		l.changed.Broadcast()
	}).Stop()
	for l.tests[root(t)] == 0 && k.now >= k.most && !(waited && k.now < runtime.GOMAXPROCS(0)) {
		l.changed.Wait()
	}
	k.now++
	k.most = max(k.most, k.now)
	l.tests[root(t)]++
	t.Cleanup(func() {
		l.changed.L.Lock()
		defer l.changed.L.Unlock()
		k.now--
		l.tests[root(t)]--
		l.changed.Broadcast()
	})
}

// root is the top-level test of a test.
func root(t testing.TB) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return name
}
