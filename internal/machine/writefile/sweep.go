package writefile

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"pwpipe/internal/machine/temp"
)

// tempPrefix begins the names of files that are being written, with the process that does.
const tempPrefix = ".pwpipe-"

// sweepAge is the age from which a file of a process that is gone is swept: a process of
// another container, which shares the folder, may only seem gone.
const sweepAge = 10 * time.Minute

// maxSwept bounds the names of a folder that are looked at.
const maxSwept = 10_000

// swept are the folders that this process has swept.
var swept known

type known struct {
	sync.Mutex
	folders map[string]bool
}

// first reports whether a folder is not known yet, and notes it.
func (k *known) first(folder string) bool {
	k.Lock()
	defer k.Unlock()
	if k.folders == nil || len(k.folders) > 1000 {
		k.folders = map[string]bool{}
	}
	was := k.folders[folder]
	k.folders[folder] = true
	return !was
}

// sweepOnce removes what killed processes left of files that they were writing in a folder.
func sweepOnce(folder *os.Root, dir string) {
	if swept.first(filepath.Join(folder.Name(), dir)) {
		sweep(folder, dir, false)
	}
}

// Sweep removes what killed processes left of files that they were writing in a folder of states.
func Sweep(dir string) {
	folder, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer folder.Close()
	sweep(folder, ".", true)
}

// older matches the names that states had while they were written, before all files were
// written by this package. They are swept in a folder of states only: elsewhere such a file is
// somebody's own.
var older = regexp.MustCompile(`\.json\.new-\d+(\.1)?$`)

func sweep(folder *os.Root, dir string, states bool) {
	f, err := folder.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxSwept)
	for _, name := range names {
		rest, ours := strings.CutPrefix(name, tempPrefix)
		pid, _, numbered := strings.Cut(rest, "-")
		n, err := strconv.Atoi(pid)
		if !(states && older.MatchString(name)) && (!ours || !numbered || err != nil || temp.Runs(n)) {
			continue
		}
		at := filepath.Join(dir, name)
		info, err := folder.Lstat(at)
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > sweepAge {
			_ = folder.Remove(at)
		}
	}
}
