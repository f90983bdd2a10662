package rawio

import (
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"pwpipe/internal/machine/tricks"
)

// Own is a non-blocking pipe or socket whose flags nobody else can change: an end that
// this process made, or was given. One goroutine reads at a time. It returns f if this
// is impossible.
func Own(f *os.File) io.ReadWriteCloser { return quietly(f, call(unix.SYS_READ), call(unix.SYS_WRITE)) }

// Shared is [Own] for files that others may share, such as stdin and stdout. Reading
// them must not block.
func Shared(f *os.File) io.ReadWriteCloser {
	return quietly(f, callNow(unix.SYS_PREADV2), callNow(unix.SYS_PWRITEV2))
}

// attempt is a call that never blocks: it answers EAGAIN instead.
type attempt func(fd uintptr, p []byte) (int, syscall.Errno)

type file struct {
	*os.File
	raw syscall.RawConn

	reads transfer
	await func(fd uintptr) bool // reads, for the runtime's poller

	writing sync.Mutex
	writes  transfer
	send    func(fd uintptr)
}

// transfer is the current read or write. Its try is nil if it must use an ordinary
// call.
type transfer struct {
	try   attempt
	p     []byte
	n     int
	errno syscall.Errno
}

func (t *transfer) run(fd uintptr) {
	for t.n, t.errno = t.try(fd, t.p); t.errno == unix.EINTR; {
		t.n, t.errno = t.try(fd, t.p)
	}
}

func quietly(f *os.File, read, write attempt) io.ReadWriteCloser {
	info, err := f.Stat()
	if err != nil || tricks.Off(tricks.RawIO) || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return f
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return f
	}
	q := &file{File: f, raw: raw, reads: transfer{try: read}, writes: transfer{try: write}}
	q.await = func(fd uintptr) bool {
		q.reads.run(fd)
		return q.reads.errno != unix.EAGAIN
	}
	q.send = q.writes.run
	return q
}

// Read reads available data, and waits until there is some.
func (q *file) Read(p []byte) (int, error) {
	t := &q.reads
	if t.try == nil || len(p) == 0 {
		return q.File.Read(p)
	}
	t.p = p
	err := q.raw.Read(q.await)
	t.p = nil
	switch {
	case err != nil: // it was closed
		return q.File.Read(p)
	case t.errno != 0: // an old kernel, or an error to report
		t.try = nil
		return q.File.Read(p)
	case t.n == 0:
		return 0, io.EOF
	case t.n > most:
		_, _, _ = unix.Syscall(unix.SYS_GETPID, 0, 0, 0) // any will do
	}
	return t.n, nil
}

// Write writes all of p.
func (q *file) Write(p []byte) (int, error) {
	q.writing.Lock()
	defer q.writing.Unlock()
	t := &q.writes
	if t.try == nil || len(p) == 0 || len(p) > most {
		return q.File.Write(p)
	}
	t.p = p
	err := q.raw.Control(q.send)
	t.p = nil
	switch {
	case err != nil:
		return q.File.Write(p)
	case t.errno == 0 && t.n == len(p):
		return t.n, nil
	case t.errno == unix.EAGAIN:
		t.n = 0
	case t.errno != 0:
		t.n, t.try = 0, nil
	}
	n, err := q.File.Write(p[t.n:])
	return t.n + n, err
}

func call(number uintptr) attempt {
	return func(fd uintptr, p []byte) (int, syscall.Errno) {
		n, _, errno := syscall.RawSyscall(number, fd, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		return int(n), errno
	}
}

// callNow reads or writes, and never blocks, whatever the file's own flag says. Kernels
// before 6.4 refuse this for pipes.
func callNow(number uintptr) attempt {
	return func(fd uintptr, p []byte) (int, syscall.Errno) {
		const nowhere = ^uintptr(0) // no offset
		v := unix.Iovec{Base: &p[0]}
		v.SetLen(len(p))
		n, _, errno := syscall.RawSyscall6(number, fd, uintptr(unsafe.Pointer(&v)), 1,
			nowhere, nowhere, unix.RWF_NOWAIT)
		return int(n), errno
	}
}
