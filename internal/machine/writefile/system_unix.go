//go:build unix

package writefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// dontWait opens a FIFO at once, and leaves the terminal that a device is to others.
const dontWait = syscall.O_NONBLOCK | syscall.O_NOCTTY

func isTooLong(err error) bool { return errors.Is(err, syscall.ENAMETOOLONG) }

// sameOwner gives a file the owner of another, which is an error where this user may not.
func sameOwner(f *os.File, like fs.FileInfo) error {
	own, err := f.Stat()
	if err != nil {
		return err
	}
	to, ok := like.Sys().(*syscall.Stat_t)
	is, ok2 := own.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || to.Uid == is.Uid && to.Gid == is.Gid {
		return nil
	}
	if err := f.Chown(int(to.Uid), int(to.Gid)); err != nil {
		err = fmt.Errorf("it is another user's or group's, and would not be any more: %w", err)
		return &fs.PathError{Op: "write", Path: like.Name(), Err: err}
	}
	return nil
}

// asFolder gives what root makes in a user's folder to that user.
func asFolder(folder *os.Root, name string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := folder.Stat(filepath.Dir(name))
	if err != nil {
		return err
	}
	of, ok := info.Sys().(*syscall.Stat_t)
	if !ok || of.Uid == 0 {
		return nil
	}
	return folder.Lchown(name, int(of.Uid), int(of.Gid))
}
