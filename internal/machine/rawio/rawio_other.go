//go:build !linux

package rawio

import (
	"io"
	"os"
)

// Own is f here.
func Own(f *os.File) io.ReadWriteCloser { return f }

// Shared is f here.
func Shared(f *os.File) io.ReadWriteCloser { return f }
