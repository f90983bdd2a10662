package setup

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pwpipe/internal/machine/writefile"
)

// maxUnpacked bounds what one archive may write, whatever it claims.
const maxUnpacked = 2 << 30

// unpackPlain lays an npm tarball out as it is.
func unpackPlain(ctx context.Context, tgz, dir string) error {
	return readTgz(tgz, func(tr io.Reader) error { return untar(ctx, tr, dir) })
}

func readTgz(tgz string, use func(io.Reader) error) error {
	f, err := os.Open(tgz)
	if err != nil {
		return err
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	return use(zr)
}

// untar writes the files and folders of a tar under dir. Anything else in it,
// such as a link, and any name that leads out of dir, is an error: no pinned
// package has one.
func untar(ctx context.Context, r io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return eachEntry(ctx, r, func(h *tar.Header, body io.Reader) error {
		name, err := entryName(h.Name)
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeDir {
			return root.MkdirAll(name, 0o755)
		}
		mode := os.FileMode(0o644)
		if h.Mode&0o111 != 0 { // nothing else of its mode is kept
			mode = 0o755
		}
		return writeEntry(root, name, body, mode)
	})
}

// eachEntry calls use for every file and folder of a tar.
func eachEntry(ctx context.Context, r io.Reader, use func(*tar.Header, io.Reader) error) error {
	tr := tar.NewReader(r)
	total := int64(0)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeDir {
			return fmt.Errorf("%q in the archive is neither a file nor a folder", h.Name)
		}
		if total += h.Size; total > maxUnpacked {
			return errors.New("the archive is larger than expected")
		}
		if err := use(h, tr); err != nil {
			return err
		}
	}
}

// entryName checks a name from an archive and answers it for this system.
func entryName(name string) (string, error) {
	clean := path.Clean(name)
	local := filepath.FromSlash(clean)
	if strings.Contains(name, `\`) || strings.HasPrefix(name, "/") || !filepath.IsLocal(local) ||
		slices.Contains(strings.Split(name, "/"), "..") {
		return "", fmt.Errorf("%q in the archive leads out of its folder", name)
	}
	return local, nil
}

// writeEntry writes one file durably; it must not exist yet.
func writeEntry(root *os.Root, name string, body io.Reader, mode os.FileMode) error {
	if parent := filepath.Dir(name); parent != "." {
		if err := root.MkdirAll(parent, 0o755); err != nil {
			return err
		}
	}
	f, err := writefile.NewIn(root, name, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, body)
	return errors.Join(err, f.Sync(), f.Close())
}
