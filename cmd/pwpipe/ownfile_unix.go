//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// ownFile refuses a file that others than this user and root can write.
func ownFile(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || int(stat.Uid) != os.Geteuid() && stat.Uid != 0:
		return errors.New("it is another user's file")
	case info.Mode().Perm()&0o022 != 0:
		return errors.New("others may write it")
	}
	return nil
}
