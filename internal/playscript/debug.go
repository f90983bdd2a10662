package playscript

import (
	"io"
	"os"
)

func debugStderr() io.Writer {
	if os.Getenv("PWPIPE_SCRIPTS_DEBUG") != "" {
		return os.Stderr
	}
	return nil
}
