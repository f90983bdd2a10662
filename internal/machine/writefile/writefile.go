// Package writefile opens, creates and replaces every file that pwpipe writes: through the
// folder's handle, so that no link that is placed meanwhile leads elsewhere. Well-kept
// libraries for it (google/renameio) write by path, and not on Windows.
package writefile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Modes of files. Private is for what holds what was typed, a cookie or a key: a file that
// is replaced becomes private too. One that is Public keeps its mode when it is replaced.
const (
	Public  fs.FileMode = 0o644
	Private fs.FileMode = 0o600
)

// Errors of places where no file is written.
var (
	ErrLink       = errors.New("it is a link; name the file itself")
	ErrNotRegular = errors.New("it is not a regular file")
	ErrReplaced   = errors.New("it was replaced meanwhile")
)

// within calls do with the handle of a path's folder.
func within[T any](path string, do func(folder *os.Root, name string) (T, error)) (got T, err error) {
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return got, err
	}
	defer folder.Close()
	return do(folder, filepath.Base(path))
}

// New makes a file that is not there yet.
func New(path string, mode fs.FileMode) (*os.File, error) {
	return within(path, func(folder *os.Root, name string) (*os.File, error) {
		return NewIn(folder, name, mode)
	})
}

// NewIn is [New] in a folder.
func NewIn(folder *os.Root, name string, mode fs.FileMode) (*os.File, error) {
	return folder.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
}

// Temp makes a private file with a new name, as os.CreateTemp does. It is for a folder of
// ours, which is removed or swept as a whole.
func Temp(folder, pattern string) (*os.File, error) { return os.CreateTemp(folder, pattern) }

// Scratch makes a private file that is soon removed, or else swept.
func Scratch(folder string) (*os.File, error) {
	return New(filepath.Join(folder, tempName()), Private)
}

// Lock opens a file that is locked and never replaced.
func Lock(path string, mode fs.FileMode) (*os.File, error) { return open(path, mode, 0) }

// Append opens a file to write at its end.
func Append(path string, mode fs.FileMode) (*os.File, error) { return open(path, mode, os.O_APPEND) }

func open(path string, mode fs.FileMode, how int) (*os.File, error) {
	return within(path, func(folder *os.Root, name string) (*os.File, error) {
		return OpenIn(folder, name, mode, how)
	})
}

// OpenIn opens a regular file of a folder to read and write, or makes it. It follows no
// link. how may be os.O_APPEND, or os.O_EXCL.
func OpenIn(folder *os.Root, name string, mode fs.FileMode, how int) (*os.File, error) {
	seen, err := regular(folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err := folder.OpenFile(name, how|os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || how&os.O_EXCL != 0 {
			return f, err
		}
	}
	if seen == nil { // another process may have made it just now
		seen, err = regular(folder, name)
	}
	if err == nil && how&os.O_EXCL != 0 {
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	}
	if err != nil {
		return nil, err
	}
	f, err := folder.OpenFile(name, how|os.O_RDWR|dontWait, 0)
	if errors.Is(err, fs.ErrPermission) { // a file that may be written and not be read
		f, err = folder.OpenFile(name, how|os.O_WRONLY|dontWait, 0)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(seen, info) {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrReplaced}
	}
	if err == nil && mode == Private && info.Mode().Perm()&0o077 != 0 {
		err = f.Chmod(Private)
	}
	return keep(f, err)
}

// keep is a file without an error, which closes it.
func keep(f *os.File, err error) (*os.File, error) {
	if err != nil && f != nil {
		_ = f.Close()
		f = nil
	}
	return f, err
}

// regular is a file that is there. It is neither a link nor a device.
func regular(folder *os.Root, name string) (fs.FileInfo, error) {
	info, err := folder.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		err = ErrLink
	case !info.Mode().IsRegular():
		err = ErrNotRegular
	default:
		return info, nil
	}
	return nil, &fs.PathError{Op: "write", Path: name, Err: err}
}

// Bytes replaces a file, or makes it, whole or not at all.
func Bytes(path string, text []byte, mode fs.FileMode) error {
	return Whole(path, mode, func(f *os.File) error { _, err := f.Write(text); return err })
}

// Whole is [Bytes] for what write writes.
func Whole(path string, mode fs.FileMode, write func(*os.File) error) error {
	_, err := within(path, func(folder *os.Root, name string) (struct{}, error) {
		return struct{}{}, WholeIn(folder, name, mode, write, nil)
	})
	return err
}

// WholeIn is [Whole] in a folder. It asks last just before the file takes its place, and an
// error of last keeps the old file. A nil last is not asked. A file that is replaced keeps
// its owner and, if the new one is public, its mode.
func WholeIn(folder *os.Root, name string, mode fs.FileMode, write func(*os.File) error, last func() error) error {
	old, err := regular(folder, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return beside(folder, name, mode, old, write, func(temp string) error {
		if last != nil {
			if err := last(); err != nil {
				return err
			}
		}
		if now, err := regular(folder, name); err == nil && (old == nil || !os.SameFile(now, old)) && last != nil {
			return &fs.PathError{Op: "write", Path: name, Err: ErrReplaced}
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return folder.Rename(temp, name)
	})
}

// beside writes a new file beside a place, with the mode and the owner that it is to have
// there, and lets put move it.
func beside(
	folder *os.Root, name string, mode fs.FileMode, old fs.FileInfo,
	write func(*os.File) error, put func(temp string) error,
) error {
	dir := filepath.Dir(name)
	sweepOnce(folder, dir)
	temp := filepath.Join(dir, tempName())
	first := mode
	if old != nil {
		first = Private // until it has its owner
	}
	f, err := NewIn(folder, temp, first)
	if err != nil {
		return err
	}
	defer folder.Remove(temp) // if it was not moved
	err = write(f)
	if err == nil && old != nil {
		err = likeBefore(f, old, mode)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return put(temp)
}

// likeBefore gives a file the owner and the mode of the one that it replaces.
func likeBefore(f *os.File, old fs.FileInfo, mode fs.FileMode) error {
	if err := sameOwner(f, old); err != nil {
		return err
	}
	if mode != Private {
		mode = old.Mode().Perm()
	}
	return f.Chmod(mode)
}

// maxBeside bounds the copies of a name in a folder.
const maxBeside = 100

// Beside makes a file whose name a server or a page chose. It never replaces a file: if
// r.txt is taken, the new one is "r (1).txt". A name that is longer than the file system
// takes is cut. taken tells the names that are not for it, nil for none. It answers the name.
func Beside(
	folder *os.Root, name string, mode fs.FileMode, taken func(name string) bool, write func(*os.File) error,
) (as string, err error) {
	dir, base := filepath.Split(name)
	base = Name(base)
	err = beside(folder, name, mode, nil, write, func(temp string) error {
		most := longestName
		for n := 0; n < maxBeside; {
			as = dir + numbered(base, n, most)
			if taken != nil && taken(as) {
				n++
				continue
			}
			// The name is reserved by an empty file, so that nobody's file is replaced.
			f, err := NewIn(folder, as, mode)
			switch {
			case err == nil:
				_ = f.Close()
				return folder.Rename(temp, as)
			case isTooLong(err) && most > shortestName:
				most /= 2
			case errors.Is(err, fs.ErrExist):
				n++
			default:
				return err
			}
		}
		err := fmt.Errorf("%d files have its name: %w", maxBeside, fs.ErrExist)
		return &fs.PathError{Op: "write", Path: name, Err: err}
	})
	return as, err
}

// Copy is a write that copies.
func Copy(from io.Reader) func(*os.File) error {
	return func(f *os.File) error { _, err := io.Copy(f, from); return err }
}

// Into writes to a device or a pipe that is there, such as /dev/stdout.
func Into(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// Move renames a folder of ours.
func Move(from, to string) error { return os.Rename(from, to) }

// MoveIn renames what somebody names in a folder, over what is there, as they ask.
func MoveIn(folder *os.Root, from, to string) error { return folder.Rename(from, to) }

// Keep puts another name of a file in the place of the file as, in the same folder.
func Keep(path, as string) error {
	_, err := within(path, func(folder *os.Root, name string) (struct{}, error) {
		temp := tempName()
		if err := folder.Link(name, temp); err != nil {
			return struct{}{}, err
		}
		defer folder.Remove(temp) // if it was not moved
		return struct{}{}, folder.Rename(temp, filepath.Base(as))
	})
	return err
}

func tempName() string { return fmt.Sprintf("%s%d-%s", tempPrefix, os.Getpid(), rand.Text()) }
