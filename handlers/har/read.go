package har

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"pwpipe/handlers/files"
	"pwpipe/internal/policy/har"
	"pwpipe/provider"
)

// CheckedHAR reads a HAR (or a .zip of one) that is to be replayed, and answers the
// path of a copy for the driver, without names of files in it: [har]. The copy exists
// until done is called, which may be as soon as routeFromHAR has returned: the driver
// reads it once, at the start.
//
// Recording (update) writes; its path must pass CheckTarget.
func CheckedHAR(path string) (usable string, done func(), err error) {
	root, name, err := files.WithinFolder(path)
	if err != nil {
		return "", nil, err
	}
	defer root.Close()
	f, err := har.OpenRegular(root, name)
	if err != nil {
		return "", nil, wordHAR(path, err)
	}
	defer f.Close()
	usable, done, err = har.HandOut(func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(path), ".zip") {
			info, err := f.Stat()
			if err != nil {
				return err
			}
			return har.FromZip(w, f, info.Size())
		}
		return har.FromFile(w, f, besideHAR(path))
	})
	return usable, done, wordHAR(path, err)
}

// besideHAR opens the bodies that a HAR names, in the folder of its path, from which a
// link may lead away.
func besideHAR(path string) har.Open {
	return func(name string) (io.ReadCloser, error) {
		root, folder, err := files.WithinFolder(filepath.Dir(path))
		if err != nil {
			return nil, &har.Refused{File: name, Reason: "the HAR's folder is outside of the folders that may be used"}
		}
		defer root.Close()
		body, err := har.Beside(root, folder)(name) // it has the better error about links
		if err == nil && files.MayTouch(filepath.Join(filepath.Dir(path), name)) != nil {
			_ = body.Close()
			err = &har.Refused{File: name, Reason: "it is outside of the folders that may be used"}
		}
		return body, err
	}
}

// wordHAR makes the error for an invalid HAR.
func wordHAR(path string, err error) error {
	var refused *har.Refused
	var gone *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return provider.Errorf(provider.KindBlocked, "path: %s: %w", path, err).
			WithHint("record it anew with bodies embedded, or as a .zip with the bodies inside")
	case errors.As(err, &gone):
		err = gone.Err
	}
	return provider.Errorf(provider.KindArgs, "path: %s: %w", path, err)
}
