package thin

import (
	"errors"
	"io"
	"os"
)

// maxSettings bounds a file of settings.
const maxSettings = 1 << 20

// ReadSettings reads a file that says what runs, or who comes in: settings, keys, log-ins.
// Whoever wrote it may be hostile, so a file that is special, large, another user's or
// writable by others is refused before it is read.
func ReadSettings(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|dontWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	refused := func(why string) ([]byte, error) {
		return nil, errors.New(path + ": " + why + ", so it is not read")
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return refused("it is not a regular file")
	}
	if why := others(info); why != "" {
		return refused(why)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSettings {
		return refused("it is over 1 MiB")
	}
	return text, nil
}
