//go:build !unix

package thin

import (
	"io"
	"time"
)

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
