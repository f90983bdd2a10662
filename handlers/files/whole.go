package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	return place(path, write, (*os.Root).Rename)
}

// place has write make the file temp in root, and puts have it be where path leads.
func place(path string, write func(root *os.Root, temp string) error, puts func(root *os.Root, temp, name string) error) error {
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
		err = puts(root, temp, name)
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

// mostBeside is how many files of a name there may be in a folder.
const mostBeside = 100

// CopyBeside is [CopyFile] that leaves what is there as it is: the copy of r.txt is then
// called "r (1).txt", as browsers call it. It answers where the copy is.
func CopyBeside(path, from string) (at string, err error) {
	ending := filepath.Ext(path)
	at = path
	for n := 1; ; n++ {
		if _, err = os.Lstat(at); err != nil {
			err = copyNew(at, from)
		} else {
			err = fs.ErrExist
		}
		if !errors.Is(err, fs.ErrExist) || n > mostBeside {
			return at, WriteError(at, err)
		}
		at = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(path, ending), n, ending)
	}
}

// copyNew copies a file to where none is. The name is taken by an empty one first: what
// somebody else puts there meanwhile is not replaced.
func copyNew(path, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return place(path, func(root *os.Root, temp string) error { return create(root, temp, in) }, func(root *os.Root, temp, name string) error {
		if err := create(root, name, strings.NewReader("")); err != nil {
			return err
		}
		return root.Rename(temp, name)
	})
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
