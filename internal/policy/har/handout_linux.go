package har

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// dontWait makes open return at once even for a pipe.
const dontWait = unix.O_NONBLOCK

// HandOut writes a file that another process of this user can read by its path until
// done is called. It is in no folder, so nobody can replace it, and it is sealed.
func HandOut(write func(io.Writer) error) (path string, done func(), err error) {
	fd, err := unix.MemfdCreate("pwpipe-har", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return "", nil, os.NewSyscallError("memfd_create", err)
	}
	f := os.NewFile(uintptr(fd), "pwpipe-har")
	if err = write(f); err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SEAL|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_WRITE)
	}
	if err != nil {
		_ = f.Close()
		return "", nil, err
	}
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd), func() { _ = f.Close() }, nil
}
