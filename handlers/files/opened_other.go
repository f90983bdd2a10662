//go:build !linux

package files

import "os"

// openedPath is the path of an open file. Only Linux tells where it is now.
func openedPath(f *os.File) (string, error) { return RealPath(f.Name()) }
