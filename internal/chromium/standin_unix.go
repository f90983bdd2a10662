//go:build unix

package chromium

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Main stands in for a browser when the driver has started the process as one,
// and returns otherwise.
func Main() {
	path := os.Getenv(envSocket)
	if path == "" {
		return
	}
	fmt.Fprintln(os.Stderr, "pwpipe: standing in for the browser:", standIn(path, os.Getenv(envToken)))
	os.Exit(127)
}

// waiting is what the process becomes once it has handed everything over, as a
// shell is a twentieth of what we are. It hears how the browser has ended, and
// does the same; with nobody left to tell it, it ends.
const waiting = `read -r how n || kill -9 $$
[ "$how" = signal ] && kill -"$n" $$
exit "$n"`

// standIn returns only when it can't.
func standIn(path, token string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		return err
	}
	text := strings.Join(append([]string{token}, os.Args[1:]...), "\x00") + "\x00"
	m := append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)
	n, err := unix.SendmsgN(fd, m, unix.UnixRights(3, 4, 2), nil, 0)
	for ; err == nil && len(m) > n; n, err = unix.Write(fd, m) {
		m = m[n:]
	}
	if err != nil {
		return err
	}
	_, _ = unix.Close(3), unix.Close(4)
	if err := become(fd, 0); err != nil {
		return err
	}
	_ = unix.Close(fd)
	_ = unix.Exec("/bin/sh", []string{"/bin/sh", "-c", waiting, "pwpipe-stand-in"}, []string{"PATH=" + os.Getenv("PATH")})
	return waitHere()
}

// waitHere is what the shell does, where there is none.
func waitHere() error {
	var how string
	var n int
	if _, err := fmt.Fscan(bufio.NewReader(os.Stdin), &how, &n); err != nil {
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
	}
	if how == "signal" {
		_ = unix.Kill(os.Getpid(), unix.Signal(n))
	}
	os.Exit(n)
	return nil
}
