//go:build !linux

package state

import (
	"os"

	"pwpipe/internal/machine/writefile"
)

// scratch makes a file for a state that is not encrypted yet, in a folder of the user.
func scratch(dir string) (f *os.File, path string, done func(), err error) {
	if f, err = writefile.Scratch(dir); err != nil {
		return nil, "", nil, err
	}
	return f, f.Name(), func() { _ = f.Close(); _ = os.Remove(f.Name()) }, nil
}
