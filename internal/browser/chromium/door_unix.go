//go:build unix

package chromium

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"pwpipe/internal/machine/rawio"
)

// Package reexec describes what a stand-in sends. It gets one line: how the browser has
// ended.

// knockTime is how long a stand-in may take to send its request.
const knockTime = 10 * time.Second

// longestKnock is the longest list of arguments.
const longestKnock = 4 << 20

// handed is the number of descriptors from a stand-in: the browser's input, output, and
// stderr.
const handed = 3

// door is the socket to which stand-ins connect.
type door struct {
	path   string
	listen *net.UnixListener
	once   sync.Once
}

// openDoor opens a socket in a folder that only the user can read.
func openDoor(path string, admit func(*net.UnixConn)) (*door, error) {
	listen, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	d := &door{path: path, listen: listen}
	go func() {
		for {
			c, err := listen.AcceptUnix()
			if err != nil {
				return
			}
			go admit(c)
		}
	}()
	return d, nil
}

// close closes the door: later stand-ins are refused.
func (d *door) close() { d.once.Do(func() { _ = d.listen.Close() }) }

// admit accepts a stand-in, and serves it until its end.
func (l *Launcher) admit(c *net.UnixConn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(knockTime))
	v, err := knock(c, l.token)
	if err != nil {
		l.o.Log.Debug("an unknown program at the browser's socket", "why", err)
		return
	}
	defer v.close()
	_ = c.SetDeadline(time.Time{})
	l.taking.Lock()
	p, err := l.browser(v.args)
	l.taking.Unlock()
	if err != nil {
		_, _ = fmt.Fprintln(v.says, "pwpipe:", err)
		_, _ = fmt.Fprintln(c, "exit", 127)
		return
	}
	v.serve(c, p)
}

// visitor is a stand-in with its descriptors.
type visitor struct {
	args  []string
	reads *os.File // what the driver writes
	wants *os.File // what the driver reads
	says  *os.File // where the driver reads the browser's stderr
}

// serve connects the driver and the browser until one of them ends.
func (v *visitor) serve(c *net.UnixConn, p *Process) {
	defer p.Kill()
	outputDone := make(chan struct{})
	go func() { p.Tell(v.says); close(outputDone) }()
	p.Session() // opened before anybody else sees its events
	relayed := make(chan struct{})
	go func() {
		_ = p.conn.Relay(rawio.Own(v.reads), rawio.Own(v.wants))
		_ = p.conn.Close() // without the driver the browser ends, in order
		close(relayed)
	}()
	go func() {
		_, _ = io.Copy(io.Discard, c) // nothing comes but its end
		p.Kill()
	}()
	<-p.Done()
	<-outputDone
	_ = v.reads.Close()
	<-relayed
	how, n := p.fate()
	_, _ = fmt.Fprintln(c, how, n)
}

func (v *visitor) close() { closeAll(v.reads, v.wants, v.says) }

var errStranger = errors.New("it is not pwpipe's stand-in")

// knock reads a stand-in's request.
func knock(c *net.UnixConn, token string) (_ *visitor, err error) {
	if !isOurs(c) {
		return nil, errors.New("it is another user's")
	}
	first := make([]byte, 4)
	fds, err := receive(c, first)
	defer func() {
		if err != nil {
			closeFDs(fds)
		}
	}()
	if err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(first)
	if len(fds) != handed || size > longestKnock {
		return nil, errStranger
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(c, text); err != nil {
		return nil, err
	}
	said := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	if said[0] != token {
		return nil, errStranger
	}
	v := &visitor{args: said[1:]}
	for i, f := range []**os.File{&v.reads, &v.wants, &v.says} {
		_ = unix.SetNonblock(fds[i], true)
		*f = os.NewFile(uintptr(fds[i]), "driver")
	}
	return v, nil
}

// receive reads into all of p, and the descriptors that come with its first byte. The
// kernel closes descriptors for which there is no room.
func receive(c *net.UnixConn, p []byte) (fds []int, err error) {
	oob := make([]byte, unix.CmsgSpace(handed*4))
	n, oobn, flags, _, err := c.ReadMsgUnix(p, oob)
	if err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(oob[:oobn])
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		got, err := unix.ParseUnixRights(&m)
		if err != nil {
			return fds, err
		}
		fds = append(fds, got...)
	}
	if flags&unix.MSG_CTRUNC != 0 {
		return fds, errStranger
	}
	_, err = io.ReadFull(c, p[n:])
	return fds, err
}

func closeFDs(fds []int) {
	for _, fd := range fds {
		_ = unix.Close(fd)
	}
}
