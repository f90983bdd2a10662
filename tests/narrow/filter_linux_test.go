package narrow

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"pwpipe/internal/pipetest"
)

// refusing in the environment makes the test's program set a system-call filter, as
// a container runtime does, and become another program.
const refusing = "PWPIPE_TEST_REFUSING"

// refusal is a filter: the calls, and their error.
type refusal struct {
	Calls []int
	Errno unix.Errno
}

func TestMain(m *testing.M) {
	if text := os.Getenv(refusing); text != "" {
		fmt.Fprintln(os.Stderr, "refusing system calls:", become(text))
		os.Exit(127)
	}
	pipetest.Main(m)
}

// become returns only on failure. Root needs no no_new_privs for it, which would be
// another difference.
func become(text string) error {
	var r refusal
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	runtime.LockOSThread()
	program := []bpf.Instruction{bpf.LoadAbsolute{Off: 0, Size: 4}}
	for _, call := range r.Calls {
		program = append(program, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(call), SkipTrue: 1},
			bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(r.Errno)})
	}
	raw, err := bpf.Assemble(append(program, bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}))
	if err != nil {
		return err
	}
	list := make([]unix.SockFilter, len(raw))
	for i, in := range raw {
		list[i] = unix.SockFilter{Code: in.Op, Jt: in.Jt, Jf: in.Jf, K: in.K}
	}
	if os.Geteuid() != 0 {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return err
		}
	}
	filter := unix.SockFprog{Len: uint16(len(list)), Filter: &list[0]}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&filter)), 0, 0); err != nil {
		return err
	}
	if err := os.Unsetenv(refusing); err != nil {
		return err
	}
	return syscall.Exec(os.Args[1], os.Args[1:], os.Environ())
}
