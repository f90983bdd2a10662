package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pwpipe/internal/machine/temp"
	"pwpipe/internal/machine/writefile"
)

// OpenOwn opens a file that a tool wrote: in a folder that tools may use, or in one
// that pwpipe made for a download without a given path. It follows no links.
func OpenOwn(path string) (*os.File, os.FileInfo, error) {
	root, name, err := WithinFolder(path)
	if err != nil {
		dir, base := filepath.Split(path)
		if !isDownload(dir) {
			return nil, nil, err
		}
		name = base
		if root, err = os.OpenRoot(dir); err != nil {
			return nil, nil, err
		}
	}
	defer root.Close()
	seen, err := root.Lstat(name)
	if err == nil && !seen.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(seen, info) {
		err = errors.New("it was replaced meanwhile")
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Read reads a file that a client names: a regular file of at most so many bytes. A FIFO would
// keep its reader waiting for ever.
func Read(path string, most int64) ([]byte, error) {
	root, name, err := WithinFolder(path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	text, err := writefile.ReadIn(root, name, most)
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		p.Path = path // as the client named it
	}
	return text, err
}

// isDownload reports whether pwpipe made a folder for a download.
func isDownload(dir string) bool {
	real, err := RealPath(dir)
	if err != nil || !strings.HasPrefix(filepath.Base(real), temp.DownloadPrefix) {
		return false
	}
	parent := filepath.Dir(real)
	return parent == tempFolder() || parent == ChosenOutput()
}
