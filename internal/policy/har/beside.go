package har

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Beside opens the bodies in the folder of a HAR. It refuses every link; one that is
// created meanwhile can't lead out of root.
func Beside(root *os.Root, folder string) Open {
	return func(name string) (io.ReadCloser, error) {
		path := folder
		for part := range strings.SplitSeq(name, "/") {
			path = filepath.Join(path, part)
			info, err := root.Lstat(path)
			if err != nil {
				return nil, plain(err)
			}
			if info.Mode()&os.ModeSymlink != 0 {
				return nil, &Refused{File: name, Reason: "it goes through a link"}
			}
		}
		f, err := OpenRegular(root, path)
		if err != nil {
			return nil, plain(err)
		}
		return f, nil
	}
}

// OpenRegular opens a regular file for reading. It refuses files that could block for
// ever.
func OpenRegular(root *os.Root, path string) (*os.File, error) {
	f, err := root.OpenFile(path, os.O_RDONLY|dontWait, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err == nil && info.Size() > maxSize {
		err = errTooLarge
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// plain removes the path from an error, since it is not as the HAR writes it.
func plain(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%w", p.Err)
	}
	return err
}
