package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"pwpipe/internal/machine/temp"
	"pwpipe/internal/machine/writefile"
)

// A file that a tool writes exists whole or not at all: [writefile] writes it beside its
// place under another name, and renames it last. An earlier file stays until then, and
// the remains of a failed write (a full disk) are removed.

// placed calls put with the handle of the allowed folder that a path leads into, and with
// the path from there, whose folders exist.
func placed(path string, put func(root *os.Root, name string) error) error {
	root, name, err := WithinFolder(path)
	if err != nil {
		return WriteError(path, err)
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return WriteError(path, err)
	}
	return WriteError(path, put(root, name))
}

// whole lets write write a file that then takes its place.
func whole(path string, mode fs.FileMode, write func(*os.File) error) error {
	return placed(path, func(root *os.Root, name string) error {
		return writefile.WholeIn(root, name, mode, again(path, write), nil)
	})
}

// again judges the path again after a write, which may have taken long.
func again(path string, write func(*os.File) error) func(*os.File) error {
	return func(f *os.File) error {
		if err := write(f); err != nil {
			return err
		}
		return MayTouch(path)
	}
}

// WriteFile writes a whole file or none.
func WriteFile(path string, data []byte) error { return WriteStream(path, bytes.NewReader(data)) }

// WritePrivate is [WriteFile] for what was typed, and for cookies: only this user may read it.
func WritePrivate(path string, data []byte) error {
	return WritePrivateStream(path, bytes.NewReader(data))
}

// WriteStream is [WriteFile] for what comes piece by piece.
func WriteStream(path string, from io.Reader) error {
	return whole(path, writefile.Public, writefile.Copy(from))
}

// WritePrivateStream is [WritePrivate] for what comes piece by piece.
func WritePrivateStream(path string, from io.Reader) error {
	return whole(path, writefile.Private, writefile.Copy(from))
}

// CopyFile copies a file of ours, whole or not at all.
func CopyFile(path, from string) error {
	return copied(path, from, func(in io.Reader) error { return WriteStream(path, in) })
}

// CopyPrivate is [CopyFile] for what only this user may read.
func CopyPrivate(path, from string) error {
	return copied(path, from, func(in io.Reader) error { return WritePrivateStream(path, in) })
}

func copied(path, from string, to func(io.Reader) error) error {
	in, err := os.Open(from)
	if err != nil {
		return WriteError(path, err)
	}
	defer in.Close()
	return to(in)
}

// CopyBeside is [CopyFile] for a name that a server or a page chose. It replaces no file:
// the copy of r.txt is then called "r (1).txt", as browsers do. It answers the copy's path.
func CopyBeside(path, from string) (at string, err error) {
	dir, base := filepath.Split(path)
	root, folder, err := WithinFolder(filepath.Clean(dir))
	if err != nil {
		return path, WriteError(path, err)
	}
	defer root.Close()
	if err := root.MkdirAll(folder, 0o777); err != nil {
		return path, WriteError(path, err)
	}
	return copyBeside(root, filepath.Join(folder, base), path, from, func(name string) bool {
		return closedFile(filepath.Join(root.Name(), name))
	})
}

func copyBeside(root *os.Root, name, path, from string, taken func(string) bool) (at string, err error) {
	at = path
	err = copied(path, from, func(in io.Reader) error {
		as, err := writefile.Beside(root, name, writefile.Public, taken, writefile.Copy(in))
		at = filepath.Join(filepath.Dir(path), filepath.Base(as))
		return WriteError(path, err)
	})
	return at, err
}

// Empty opens a file of an allowed folder that is written piece by piece, and may be read
// meanwhile: a log, a film. What it holds goes.
func Empty(path string, mode fs.FileMode) (f *os.File, err error) {
	err = placed(path, func(root *os.Root, name string) error {
		if f, err = writefile.OpenIn(root, name, mode, 0); err != nil {
			return err
		}
		if err = OpenedOpen(f); err == nil {
			err = f.Truncate(0)
		}
		if err != nil {
			_ = f.Close()
		}
		return err
	})
	return f, err
}

// OpenedOpen refuses an open file that pwpipe keeps closed, whatever name led to it.
func OpenedOpen(f *os.File) error {
	if IsOpenedControl(f) {
		return &fs.PathError{Op: "open", Path: f.Name(), Err: errors.New("pwpipe keeps it closed")}
	}
	return nil
}

// Saved lets Playwright write a file, and copies it to its place whole or not at all.
// Playwright writes by path, so it gets one in a folder of ours. An error that is not the
// disk's is answered in Playwright's words.
func Saved(path string, save func(temp string) error) error {
	if err := MayTouch(path); err != nil {
		return WriteError(path, err)
	}
	return saved(path, save, func(made string) error { return CopyFile(path, made) })
}

// SavedPrivate is [Saved] for what only this user may read.
func SavedPrivate(path string, save func(temp string) error) error {
	if err := MayTouch(path); err != nil {
		return WriteError(path, err)
	}
	return saved(path, save, func(made string) error { return CopyPrivate(path, made) })
}

// SavedBeside is [Saved] with [CopyBeside].
func SavedBeside(path string, save func(temp string) error) (at string, err error) {
	at = path
	err = saved(path, save, func(made string) (err error) {
		at, err = CopyBeside(path, made)
		return err
	})
	return at, err
}

// SavedNew is [SavedBeside] in a folder that pwpipe has made for it.
func SavedNew(folder, name string, save func(temp string) error) (at string, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return folder, WriteError(folder, err)
	}
	defer root.Close()
	at = filepath.Join(folder, name)
	err = saved(at, save, func(made string) (err error) {
		at, err = copyBeside(root, name, at, made, nil)
		return err
	})
	return at, err
}

// longestEnding bounds the ending of a name that stays: a server's may be longer than a name may be.
const longestEnding = 20

func saved(path string, save, put func(made string) error) error {
	dir, err := temp.Make()
	if err != nil {
		return WriteError(path, err)
	}
	defer temp.Remove(dir)
	made := filepath.Join(dir, "saved")
	if ext := filepath.Ext(path); len(ext) <= longestEnding { // Playwright derives the format from the ending
		made += ext
	}
	err = DiskError(save(made))
	if errno := syscall.Errno(0); err != nil && !errors.As(err, &errno) {
		return err
	}
	if err != nil {
		return WriteError(path, err)
	}
	return put(made)
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
