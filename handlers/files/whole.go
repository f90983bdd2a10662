package files

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A file that a tool writes is there whole or not at all: it is written beside
// its place under another name, and gets its own as the last step. What was
// there before stays until then, and what a full disk leaves half done goes.

// whole has write make the file temp in root, and puts it in its place.
func whole(path string, write func(root *os.Root, temp string) error) error {
	root, name, err := WithinFolder(path)
	if err != nil {
		return WriteError(path, err)
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return WriteError(path, err)
	}
	// Playwright goes by the ending.
	temp := filepath.Join(filepath.Dir(name), ".pwpipe-"+rand.Text()+filepath.Ext(name))
	err = write(root, temp)
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return WriteError(path, err)
}

// WriteFile writes a whole file or none.
func WriteFile(path string, data []byte) error {
	return whole(path, func(root *os.Root, temp string) error { return create(root, temp, strings.NewReader(string(data))) })
}

// CopyFile writes a whole copy of a file of ours, or none.
func CopyFile(path, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return WriteError(path, err)
	}
	defer in.Close()
	return whole(path, func(root *os.Root, temp string) error { return create(root, temp, in) })
}

func create(root *os.Root, name string, from io.Reader) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// Saved has Playwright write a whole file or none. What is not the disk's
// fault is answered as Playwright words it.
func Saved(path string, save func(temp string) error) error {
	var theirs error
	err := whole(path, func(root *os.Root, temp string) error {
		theirs = DiskError(save(filepath.Join(root.Name(), temp)))
		return theirs
	})
	if errno := syscall.Errno(0); theirs != nil && !errors.As(theirs, &errno) {
		return theirs
	}
	return err
}

// DiskError is the kernel's error behind one of Node's, which names files that
// are none of the caller's business.
func DiskError(err error) error {
	for code, cause := range map[string]error{"ENOSPC": syscall.ENOSPC, "EDQUOT": syscall.EDQUOT, "EFBIG": syscall.EFBIG, "EROFS": syscall.EROFS, "EACCES": syscall.EACCES} {
		if err != nil && strings.Contains(err.Error(), code+": ") {
			return cause
		}
	}
	return err
}
