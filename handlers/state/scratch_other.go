//go:build !linux

package state

import "os"

// scratch makes a file for a state that is not encrypted yet, in a folder of the user.
func scratch(dir string) (f *os.File, path string, done func(), err error) {
	if f, err = os.CreateTemp(dir, ".plain-*"); err != nil { // with mode 0600
		return nil, "", nil, err
	}
	return f, f.Name(), func() { _ = f.Close(); _ = os.Remove(f.Name()) }, nil
}
