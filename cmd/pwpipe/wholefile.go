package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile writes a file whole or not at all. It asks last just before the file takes
// its place, and an error of last keeps the old file. A nil last is not asked.
func replaceFile(path string, text []byte, mode fs.FileMode, last func() error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".pwpipe-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	if last != nil {
		if err := last(); err != nil {
			return err
		}
	}
	return os.Rename(f.Name(), path)
}

// writeWhole writes a file or leaves what was there: half a report would be
// taken for one. Other things than files (/dev/stdout) are written directly.
func writeWhole(file string, data []byte) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(file, data, 0o644)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	temp := filepath.Join(filepath.Dir(file), ".pwpipe-"+rand.Text())
	err := os.WriteFile(temp, data, 0o644)
	if err == nil {
		err = os.Rename(temp, file)
	}
	if err != nil {
		_ = os.Remove(temp)
		var on *fs.PathError
		if errors.As(err, &on) {
			err = fmt.Errorf("can't write %s: %w", file, on.Err)
		}
	}
	return err
}
