//go:build darwin || freebsd

package thin

import "golang.org/x/sys/unix"

// Peer is the user at the other end of a socket, -1 for unknown: what getpeereid asks.
func Peer(fd int) int {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return -1
	}
	return int(cred.Uid)
}
