package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A file with several names may have one of them in a control folder. What the kernel says about a
// name does not say where the others are, so the folders are searched for it.

// linked are the files of control folders that have several names.
var linked struct {
	sync.Mutex
	at   time.Time // of the search
	list []os.FileInfo
}

const (
	linkedFor  = time.Second // how long a search is good for: a folder that is uploaded may have many such files
	maxControl = 100_000     // files that are looked at; a folder of ours has a few thousand
)

// isLinkedIn reports whether a file is one of a control folder by another name.
func isLinkedIn(places []string, info os.FileInfo) bool {
	if !info.Mode().IsRegular() || names(info) < 2 {
		return false
	}
	linked.Lock()
	defer linked.Unlock()
	if time.Since(linked.at) > linkedFor {
		linked.list = linked.list[:0]
		left := maxControl
		for _, place := range places {
			_ = filepath.WalkDir(place, func(_ string, e fs.DirEntry, err error) error {
				if left--; left < 0 {
					return filepath.SkipAll
				}
				if err != nil || !e.Type().IsRegular() {
					return nil
				}
				if one, err := e.Info(); err == nil && names(one) > 1 {
					linked.list = append(linked.list, one)
				}
				return nil
			})
		}
		linked.at = time.Now()
	}
	return isOneOf(info, linked.list)
}
