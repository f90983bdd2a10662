package files

import (
	"bytes"
	"cmp"
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

// A file that a tool writes exists whole or not at all: the tool writes it beside its
// place under another name, and renames it last. An earlier file stays until then, and
// the remains of a failed write (a full disk) are removed.

// whole lets write make the file temp in root, and moves it to path.
func whole(path string, write func(root *os.Root, temp string) error) error {
	return place(path, write, (*os.Root).Rename)
}

// place lets write make the file temp in root, and put moves it to where path leads.
func place(path string, write func(root *os.Root, temp string) error, puts func(root *os.Root, temp, name string) error) error {
	root, name, err := WithinFolder(path)
	if err != nil {
		return WriteError(path, err)
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return WriteError(path, err)
	}
	// The ending stays, since Playwright derives the format from it.
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
	return WriteStream(path, bytes.NewReader(data))
}

// CopyFile copies a file of ours, whole or not at all.
func CopyFile(path, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return WriteError(path, err)
	}
	defer in.Close()
	return WriteStream(path, in)
}

// maxBeside bounds the copies of a name in a folder.
const maxBeside = 100

// CopyBeside is [CopyFile] without overwriting: the copy of r.txt is then called "r
// (1).txt", as browsers do. It answers the copy's path.
func CopyBeside(path, from string) (at string, err error) {
	ending := filepath.Ext(path)
	at = path
	for n := 1; ; n++ {
		if _, err = os.Lstat(at); err != nil {
			err = copyNew(at, from)
		} else {
			err = fs.ErrExist
		}
		if !errors.Is(err, fs.ErrExist) || n > maxBeside {
			return at, WriteError(at, err)
		}
		at = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(path, ending), n, ending)
	}
}

// copyNew copies a file to a path that does not exist. It first reserves the name with
// an empty file, so that nobody's file is replaced.
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
	return cmp.Or(err, f.Close())
}

// Saved lets Playwright write a whole file or none. An error that is not the disk's is
// answered in Playwright's words.
func Saved(path string, save func(temp string) error) error {
	var saveErr error
	err := whole(path, func(root *os.Root, temp string) error {
		saveErr = DiskError(save(filepath.Join(root.Name(), temp)))
		return saveErr
	})
	if errno := syscall.Errno(0); saveErr != nil && !errors.As(saveErr, &errno) {
		return saveErr
	}
	return err
}

// DiskError is the kernel's error behind an error of Node, whose file names don't
// concern the caller.
func DiskError(err error) error {
	for code, cause := range map[string]error{"ENOSPC": syscall.ENOSPC, "EDQUOT": syscall.EDQUOT, "EFBIG": syscall.EFBIG, "EROFS": syscall.EROFS, "EACCES": syscall.EACCES} {
		if err != nil && strings.Contains(err.Error(), code+": ") {
			return cause
		}
	}
	return err
}

// WriteStream is [WriteFile] for what comes piece by piece.
func WriteStream(path string, from io.Reader) error {
	return whole(path, func(root *os.Root, temp string) error { return create(root, temp, from) })
}
