package script_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// watchFolder tells of whatever any process does with a folder's files: it is the
// kernel that says so. What is said of the folder itself is left out: tests list it.
func watchFolder(t *testing.T, dir string) (touched func() []string) {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	if _, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_ALL_EVENTS); err != nil {
		t.Fatal(err)
	}
	return func() (list []string) {
		buf := make([]byte, 1<<16)
		for {
			n, err := syscall.Read(fd, buf)
			if err != nil {
				if !errors.Is(err, syscall.EAGAIN) {
					t.Error(err)
				}
				return list
			}
			for rest := buf[:n]; len(rest) >= syscall.SizeofInotifyEvent; {
				mask, size := binary.NativeEndian.Uint32(rest[4:]), int(binary.NativeEndian.Uint32(rest[12:]))
				name := bytes.TrimRight(rest[syscall.SizeofInotifyEvent:][:size], "\x00")
				rest = rest[syscall.SizeofInotifyEvent+size:]
				list = append(list, fmt.Sprintf("%q: event %#x", name, mask))
			}
		}
	}
}
