package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pwpipe/provider"
)

// CheckTarget refuses paths outside of the allowed folders, and names under which a
// file would not be what it seems.
func CheckTarget(path string) error {
	if err := checkPlace(path); err != nil {
		return err
	}
	return MayTouch(path)
}

// checkPlace refuses paths through a dangling link, and paths of a link, a folder or a
// device.
func checkPlace(path string) error {
	refuse := func(format string, args ...any) error {
		return provider.Errorf(provider.KindArgs, "path: %s", fmt.Sprintf(format, args...))
	}
	if path == "" || strings.ContainsRune(path, 0) {
		return refuse("expected the name of a file, got %q", path)
	}
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		return refuse("%s is a folder; name a file in it", path)
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return refuse("%s is not a folder", dir)
		}
		if errors.Is(err, fs.ErrNotExist) {
			if link, err := os.Readlink(dir); err == nil {
				return refuse("%s is a dangling link to %s", dir, link)
			}
		}
		if err == nil || dir == filepath.Dir(dir) {
			break
		}
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return refuse("%v", err)
	case info.Mode()&fs.ModeSymlink != 0:
		link, _ := os.Readlink(path)
		if _, err := os.Stat(path); err != nil {
			return refuse("%s is a dangling link to %s", path, link)
		}
		return refuse("%s is a link to %s; name that file itself", path, link)
	case info.IsDir():
		return refuse("%s is a folder; name a file in it", path)
	case !info.Mode().IsRegular():
		return refuse("%s is not a regular file", path)
	}
	return nil
}

// CheckEnding refuses the path of a parameter whose file has another ending.
func CheckEnding(param, path, ending string) error {
	if !strings.EqualFold(filepath.Ext(path), ending) {
		return provider.Errorf(provider.KindArgs, "%s: expected a %s file, got %q", param, ending, path)
	}
	return nil
}

// WriteError makes the error for a file that could not be written.
func WriteError(path string, err error) error {
	if err == nil {
		return nil
	}
	var own *provider.Error
	if errors.As(err, &own) {
		return err
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return provider.Errorf(provider.KindFailed, "can't write %s: %w", path, err)
}
