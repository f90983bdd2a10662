//go:build unix && !linux

package nodesandbox

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// warden waits for the end of its input, which is our end, also by SIGKILL.
const warden = `read x; kill -9 "$1"`

// tie makes the process end with us, however we end.
func (c *Cell) tie() {
	w := exec.Command("/bin/sh", "-c", warden, "pwpipe-warden", strconv.Itoa(c.PID()))
	w.Env, w.Dir = []string{}, "/"
	w.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // out of reach of a terminal's Ctrl-C
	if _, err := w.StdinPipe(); err != nil || w.Start() != nil {
		return
	}
	go func() {
		<-c.done
		_ = w.Process.Kill()
		_ = w.Wait()
	}()
}

// PSS is an upper bound of the bytes that the process holds, shared memory included; 0
// when it is gone.
func (c *Cell) PSS() int64 {
	out, _ := exec.Command("/bin/ps", "-o", "rss=", "-p", strconv.Itoa(c.PID())).Output()
	n, _ := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return n << 10
}

func (c *Cell) look() (time.Duration, error) {
	if held := c.PSS(); held > c.o.Memory {
		return 0, &memoryError{held: held, bound: c.o.Memory}
	}
	return 0, nil
}
