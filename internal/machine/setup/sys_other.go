//go:build !linux && !darwin && !freebsd && !windows

package setup

import (
	"errors"
	"os"
	"syscall"
)

// tryLock says that there is no lock here; the final rename still settles which
// of two runs wins.
func tryLock(*os.File) (held bool, err error) { return false, errors.ErrUnsupported }

func freeSpace(string) (bytes uint64, ok bool) { return 0, false }

func isDiskFull(err error) bool { return errors.Is(err, syscall.ENOSPC) }

func syncDir(string) error { return nil }

func canWrite(string) (ok, known bool) { return false, false }
