package thin

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

func user() string { return os.Getenv("USERNAME") }

// closed: the temporary folder of Windows is the user's own, and so is what is in it.
func closed(string) error { return nil }

// Socket is the name of the service's pipe. The pipe has the rights that it is made with,
// so the folder says whose it is and nothing else.
func (p Place) Socket() string {
	name := []byte(p.file("sock"))
	for i, c := range name {
		if c == '\\' || c == '/' || c == ':' {
			name[i] = '-'
		}
	}
	return `\\.\pipe\pwpipe` + string(name)
}

// Dial connects to the service. The error is ErrNothing where none runs.
func (p Place) Dial() (io.ReadWriteCloser, error) {
	f, err := os.OpenFile(p.Socket(), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNothing
	}
	return f, err
}
