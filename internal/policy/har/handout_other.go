//go:build !linux

package har

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"

	"pwpipe/internal/machine/writefile"
)

// dontWait: on these systems an open may wait at a pipe that was created after the
// check.
const dontWait = 0

// HandOut writes a file that another process of this user can read by its path until
// done is called, under a name that can't be guessed.
func HandOut(write func(io.Writer) error) (path string, done func(), err error) {
	dir, err := os.MkdirTemp("", "pwpipe-har-")
	if err != nil {
		return "", nil, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, rand.Text()+".har")
	f, err := writefile.New(path, writefile.Private)
	if err == nil {
		err = errors.Join(write(f), f.Close())
	}
	if err != nil {
		done()
		return "", nil, err
	}
	return path, done, nil
}
