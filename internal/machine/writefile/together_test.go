package writefile

import (
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// TestLockTogether: a lock that several open at once is made by one, and opened by all.
func TestLockTogether(t *testing.T) {
	dir := t.TempDir()
	for round := range 200 {
		path := filepath.Join(dir, strconv.Itoa(round))
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				f, err := Lock(path, Private)
				if err != nil {
					t.Error(err)
					return
				}
				_ = f.Close()
			})
		}
		all.Wait()
	}
}
