package program

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"pwpipe/internal/machine/self"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/shell/thin"
)

// What a service without sessions waits for the first, and a new one for the socket.
const (
	SpareTime  = 30 * time.Second
	SocketTime = 20 * time.Second
)

// StartTime is how long a service may take to listen, or to end.
const StartTime = time.Minute

// ErrOther says that another command has started the service at the same time.
var ErrOther = errors.New("another command has started the service")

// StartApart starts this program as a service of the user, which outlives the one that starts
// it, and waits until it listens.
func StartApart(at thin.Place, cmd *exec.Cmd) error {
	deadline := time.Now().Add(StartTime)
	program, err := self.Program()
	if err != nil {
		return err
	}
	log, err := writefile.Append(at.Log(), writefile.Private)
	if err != nil {
		return err
	}
	defer log.Close()
	begin, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	cmd.Path, cmd.Stderr, cmd.SysProcAttr = program, log, apart()
	keepNothing()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		conn, err := at.Dial()
		if err == nil {
			_ = conn.Close()
			if !holds(at, cmd.Process.Pid) {
				return ErrOther
			}
			return nil
		}
		if !errors.Is(err, thin.ErrNothing) {
			return err
		}
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("the service did not start: %s", strings.TrimPrefix(lastLine(log, begin), "pwpipe: "))
			}
			ended = nil // another service was there first
		case <-time.After(3 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the service does not listen; %s may say why", log.Name())
		}
	}
}

// holds reports whether a process has the lock of a place, as its holder has noted.
func holds(at thin.Place, pid int) bool {
	text, err := os.ReadFile(at.Lock())
	return err == nil && strings.TrimSpace(string(text)) == strconv.Itoa(pid)
}

// lastLine is the last line of a file behind a place.
func lastLine(f *os.File, begin int64) string {
	text, _ := io.ReadAll(io.NewSectionReader(f, begin, 64<<10))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
