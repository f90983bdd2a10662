package extension

import (
	"errors"
	"io"
	"io/fs"

	"github.com/Microsoft/go-winio"

	"pwpipe/internal/shell/thin"
)

// dial connects to a pwpipe that waits. Both sides speak at once, for which a pipe of Windows
// has to be opened in its own way.
func dial(at thin.Place) (io.ReadWriteCloser, error) {
	conn, err := winio.DialPipe(at.Socket(), nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, thin.ErrNothing
	}
	return conn, err
}
