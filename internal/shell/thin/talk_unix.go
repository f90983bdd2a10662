//go:build unix

package thin

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// talk writes a request and reads the reply to its end. It waits in the system calls: a
// goroutine or a timer of Go's would cost a tenth of a command.
func talk(conn io.ReadWriter, request []byte, silence func() error) (reply []byte, err error) {
	if f, ok := conn.(*os.File); ok {
		every := syscall.NsecToTimeval(int64(signEvery / time.Nanosecond))
		for _, way := range []int{syscall.SO_SNDTIMEO, syscall.SO_RCVTIMEO} {
			if err := syscall.SetsockoptTimeval(int(f.Fd()), syscall.SOL_SOCKET, way, &every); err != nil {
				return nil, err
			}
		}
	}
	waits := func(err error) error { // nil to go on
		if errors.Is(err, syscall.EAGAIN) {
			return silence()
		}
		return err
	}
	for len(request) > 0 {
		n, err := conn.Write(request)
		request = request[n:]
		if err = waits(err); err != nil {
			return nil, err
		}
	}
	reply = make([]byte, 0, 4096)
	for {
		if len(reply) == cap(reply) {
			reply = append(reply, 0)[:len(reply)]
		}
		n, err := conn.Read(reply[len(reply):cap(reply)])
		reply = reply[:len(reply)+n]
		if errors.Is(err, io.EOF) {
			return reply, nil
		}
		if err = waits(err); err != nil {
			return reply, err
		}
	}
}
