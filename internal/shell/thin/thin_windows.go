package thin

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
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

// Ended reports whether a process is known to have ended.
func Ended(int) bool { return false }

const dontWait = 0

// foreign takes every file, as others does.
func foreign(fs.FileInfo) bool { return false }

// others takes every file: there are no owners to ask about.
func others(fs.FileInfo) string { return "" }

// isAbs knows paths with a drive, C:\ or C:/.
func isAbs(path string) bool {
	return len(path) > 2 && path[1] == ':' && os.IsPathSeparator(path[2])
}

// caseOf is the name of a variable in capitals: Windows finds it however it is written.
func caseOf(name string) string {
	b := []byte(name)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// talk writes a request and reads the reply to its end.
func talk(conn io.ReadWriter, request []byte, silence func() error) (reply []byte, err error) {
	type end struct {
		reply []byte
		err   error
	}
	done := make(chan end, 1)
	go func() {
		var e end
		if _, e.err = conn.Write(request); e.err == nil {
			e.reply, e.err = io.ReadAll(conn)
		}
		done <- e
	}()
	for {
		select {
		case e := <-done:
			return e.reply, e.err
		case <-time.After(signEvery):
		}
		if silent := silence(); silent != nil {
			return nil, silent
		}
	}
}
