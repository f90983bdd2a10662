package har

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
		refuse := func(why string) error { return &Refused{"a file in it", f.Name, why} }
		if f.FileInfo().IsDir() && stray(strings.TrimSuffix(f.Name, "/")) == "" {
			continue
		}
		if why := stray(f.Name); why != "" {
			return nil, nil, refuse(why)
		}
		if !f.Mode().IsRegular() {
			return nil, nil, refuse("it is a link or a device")
		}
		if files[f.Name] != nil {
			return nil, nil, refuse("it is there twice")
		}
		files[f.Name] = f
		if har == nil && strings.HasSuffix(f.Name, ".har") {
			har = f
		}
	}
	return files, har, nil
}
