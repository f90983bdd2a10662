package usersocket

import (
	"errors"
	"io"
	"io/fs"

	"github.com/Microsoft/go-winio"

	"pwpipe/internal/shell/thin"
)

// Dial connects to a program that listens. Both sides may speak at once, for which a pipe of
// Windows has to be opened in its own way.
func Dial(at thin.Place) (io.ReadWriteCloser, error) {
	conn, err := winio.DialPipe(at.Socket(), nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, thin.ErrNothing
	}
	return conn, err
}
