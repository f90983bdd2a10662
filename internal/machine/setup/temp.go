package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// Necessary room in the temporary folder, in bytes: a browser keeps its profile and the
// shared memory of its processes there.
const (
	tempEnough = 8 << 20
	tempNone   = 128 << 10
)

// CheckTemp says what is wrong with the temporary folder, nil if nothing is. Without
// this check the errors name other causes.
func CheckTemp() error {
	dir, variable := os.TempDir(), "TMPDIR"
	if runtime.GOOS == "windows" {
		variable = "TMP"
	}
	trouble := func(format string, args ...any) error {
		return fmt.Errorf("the temporary folder %s %s, or set %s to another", dir, fmt.Sprintf(format, args...), variable)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return trouble("is not there; make it")
	case err != nil:
		return trouble("can't be used (%v); mend that", rootCause(err))
	case !info.IsDir():
		return trouble("is not a folder; make it one")
	}
	if ok, known := canWrite(dir); known && !ok {
		return trouble("can't be written; mend that")
	}
	free, ok := freeSpace(dir)
	switch {
	case ok && free < tempNone:
		return trouble("is full; free some space")
	case ok && free < tempEnough:
		return trouble("is almost full, %s are left; free some space", size(int64(free)))
	}
	return nil
}
