package pipetest

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// lent are the shared processes that tests have now. Of one kind there are no more than
// processors, and another is started only after a wait: a start takes time from those
// that run.
var lent = &lending{changed: sync.NewCond(&sync.Mutex{}), kinds: map[string]*lentKind{}, tests: map[string]int{}}

type lending struct {
	changed *sync.Cond
	kinds   map[string]*lentKind
	tests   map[string]int // how many a test has
}

// lentKind says how many of a kind are lent, and how many there have been at once.
type lentKind struct{ now, most int }

// shortWait is how long a test waits for what another has before it begins one.
const shortWait = 2 * time.Second

// take waits until a test may have one, which it has until it ends. Who has one already
// does not wait, so that no two tests wait for each other.
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

// root is the test that a test is part of.
func root(t testing.TB) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return name
}
