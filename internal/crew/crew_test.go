package crew

import (
	"runtime"
	"sync"
	"testing"
)

// TestEachRunsAtOnce: none waits for another to end, however many there are, and
// of those that have ended only some stay.
func TestEachRunsAtOnce(t *testing.T) {
	for range 3 {
		const many = 100
		var started, ended sync.WaitGroup
		started.Add(many)
		ended.Add(many)
		all := make(chan struct{})
		for range many {
			Go(func() {
				defer ended.Done()
				started.Done()
				<-all
			})
		}
		started.Wait()
		close(all)
		ended.Wait()
	}
	for waiting.Load() != most { // one that is about to end counts for a moment
		runtime.Gosched()
	}
}

// TestGoexit: a function that ends its goroutine ends no other's.
func TestGoexit(t *testing.T) {
	done := make(chan struct{})
	Go(func() { defer close(done); runtime.Goexit() })
	<-done
	for range 2 * most {
		ran := make(chan struct{})
		Go(func() { close(ran) })
		<-ran
	}
}
