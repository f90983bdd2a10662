package setup

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	tempPrefix = ".tmp-"
	lockPoll   = 100 * time.Millisecond
	// staleAge is how old work of another run must be before it is swept when
	// there is no lock to prove that its owner is gone.
	staleAge = 6 * time.Hour
)

// lock waits until this run alone may change the cache folder, and then sweeps
// what killed runs left behind. Some network file systems have no locks; there
// the final rename settles who wins, and only old work is swept.
func (s *setup) lock(ctx context.Context) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(s.cache, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, s.explain(err)
	}
	for waiting := false; ; {
		held, err := tryLock(f)
		if held || err != nil {
			s.sweep(held)
			return func() { f.Close() }, nil
		}
		if !waiting {
			s.out.say("waiting for another pwpipe that is setting up")
			waiting = true
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// sweep removes work that nobody owns: whoever works holds the lock, so all of
// it when the lock is ours.
func (s *setup) sweep(held bool) {
	entries, _ := os.ReadDir(s.cache)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		info, err := e.Info()
		if err == nil && (held || time.Since(info.ModTime()) > staleAge) {
			os.RemoveAll(filepath.Join(s.cache, e.Name()))
		}
	}
}
