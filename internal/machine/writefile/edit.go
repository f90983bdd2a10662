package writefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrChanged says that somebody wrote to a file between our reading and our writing.
var ErrChanged = errors.New("another program has changed it meanwhile; try again")

// Read reads a file that configures something, or is edited: a regular file of at most so
// many bytes. Anything else could hang, or fill the memory.
func Read(path string, most int64) ([]byte, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	return within(path, func(folder *os.Root, name string) ([]byte, error) { return ReadIn(folder, name, most) })
}

// MaxConfig bounds what is read as configuration, in bytes; maxDepth how deep it is nested.
const (
	MaxConfig = 1 << 20
	maxDepth  = 1000
)

// Config reads a file that configures something, whose parser may call itself for what is
// nested.
func Config(path string) ([]byte, error) {
	text, err := Read(path, MaxConfig)
	if err == nil {
		err = Shallow(text)
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// Shallow refuses a text with so many open brackets that its parser may exhaust the stack.
func Shallow(text []byte) error {
	depth, most := 0, 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
			most = max(most, depth)
		case ']', '}':
			depth--
		}
	}
	if most > maxDepth {
		return fmt.Errorf("it is nested deeper than %d brackets", maxDepth)
	}
	return nil
}

// ReadIn is [Read] in a folder, from which no link leads away.
func ReadIn(folder *os.Root, name string, most int64) ([]byte, error) {
	f, err := folder.OpenFile(name, os.O_RDONLY|dontWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: name, Err: ErrNotRegular}
	}
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(f, most+1))
	}
	if err == nil && int64(len(text)) > most {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("it has more than %d bytes", most)}
	}
	return text, err
}

// Edit changes a file: it replaces the bytes old, nil for a file that is not there, unless
// somebody has changed them since they were read. The file keeps its owner, mode and links.
// What root makes in a user's folder is that user's.
func Edit(path string, old, text []byte, mode fs.FileMode, most int64) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	_, err := within(path, func(folder *os.Root, name string) (struct{}, error) {
		return struct{}{}, EditIn(folder, name, old, text, mode, most)
	})
	return err
}

// EditIn is [Edit] in a folder. It follows no link at the end of name.
func EditIn(folder *os.Root, name string, old, text []byte, mode fs.FileMode, most int64) error {
	if info, err := folder.Lstat(name); err == nil {
		mode = info.Mode().Perm()
	}
	write := func(f *os.File) error {
		_, err := f.Write(text)
		return errors.Join(err, f.Sync())
	}
	err := WholeIn(folder, name, mode, write, func() error {
		now, err := ReadIn(folder, name, most)
		if errors.Is(err, fs.ErrNotExist) && old == nil {
			return nil
		}
		if err == nil && (old == nil || !bytes.Equal(now, old)) {
			err = ErrChanged
		}
		return err
	})
	if err == nil && old == nil {
		return asFolder(folder, name)
	}
	return err
}

// Folders makes folders. What root makes in a user's folder is that user's.
func Folders(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := Folders(filepath.Dir(dir)); err != nil {
		return err
	}
	_, err := within(dir, func(folder *os.Root, name string) (struct{}, error) {
		err := folder.Mkdir(name, 0o755)
		if err == nil {
			err = asFolder(folder, name)
		}
		return struct{}{}, err
	})
	return err
}
