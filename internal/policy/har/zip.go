package har

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// FromZip reads an archive of a HAR and its bodies, as Playwright writes them. The HAR
// is the first file whose name ends in .har.
func FromZip(w io.Writer, r io.ReaderAt, size int64) error {
	left := maxSize
	if size > left {
		return errTooLarge
	}
	archive, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // entries has the better error
		return err
	}
	files, first, err := entries(archive)
	if err != nil {
		return err
	}
	if first == nil {
		return errors.New("there is no .har file in it")
	}
	f, err := first.Open()
	if err != nil {
		return fmt.Errorf("%q in it: %w", first.Name, err)
	}
	defer f.Close()
	raw, err := readAll(f, &left)
	if err != nil {
		return fmt.Errorf("%q in it: %w", first.Name, err)
	}
	return pack(w, raw, func(name string) (io.ReadCloser, error) {
		if f := files[name]; f != nil {
			return f.Open()
		}
		return nil, fs.ErrNotExist
	}, &left)
}

// entries are an archive's files by name, and its HAR. It refuses everything that an
// archive of a HAR does not have, though nothing is unpacked.
func entries(archive *zip.Reader) (files map[string]*zip.File, har *zip.File, err error) {
	files = map[string]*zip.File{}
	for _, f := range archive.File {
		why := stray(f.Name)
		switch {
		case f.FileInfo().IsDir() && stray(strings.TrimSuffix(f.Name, "/")) == "":
			continue
		case why != "":
		case !f.Mode().IsRegular():
			why = "it is a link or a device"
		case files[f.Name] != nil:
			why = "it is there twice"
		}
		if why != "" {
			return nil, nil, &Refused{"a file in it", f.Name, why}
		}
		files[f.Name] = f
		if har == nil && strings.HasSuffix(f.Name, ".har") {
			har = f
		}
	}
	return files, har, nil
}

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
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}
