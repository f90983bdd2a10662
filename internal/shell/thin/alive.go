package thin

import (
	"errors"
	"io"
	"os"
	"time"
)

// A command may take as long as its tool's deadline, so its answer has no time limit of
// its own. A service that is stopped, or stuck, gives no sign of life, and is not waited
// for.
const (
	signEvery = 3 * time.Second  // so often a service that has not answered is asked
	signTime  = 10 * time.Second // for a sign; a machine may be busy
)

// silent is the error of a service that gives no sign of life.
type silent struct{ why string }

func (e silent) Error() string { return e.why }

// SignOfLife asks the service whether it answers at all. A connection to a process that is
// stopped has no deadline of its own: it is left behind.
func (p Place) SignOfLife(limit time.Duration) error {
	done := make(chan error, 1)
	go func() {
		conn, err := p.Dial()
		if err != nil {
			done <- err
			return
		}
		defer conn.Close()
		_, err = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		if err == nil {
			_, err = io.ReadFull(conn, make([]byte, 1))
		}
		if err != nil {
			err = ErrLost
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
	}
	who, end := "the service", ""
	if text, err := os.ReadFile(p.Lock()); err == nil && number(trimLine(string(text))) > 0 {
		pid := trimLine(string(text))
		who, end = who+" (process "+pid+")", ": `kill -CONT "+pid+"` wakes it, `kill -9 "+pid+"` ends it"
	}
	return silent{who + " does not answer within " + limit.String() + "; it may be stopped, or stuck" + end}
}

// Ask sends the command on a connection that is its own, and waits for the answer, for as
// long as the service gives a sign of life. The service cancels the command when the
// connection ends.
func (c Command) Ask(at Place, conn io.ReadWriteCloser) (Answer, error) {
	defer conn.Close()
	return c.exchange(conn, func() error {
		err := at.SignOfLife(signTime)
		if errors.As(err, new(silent)) {
			return err
		}
		return nil
	})
}
