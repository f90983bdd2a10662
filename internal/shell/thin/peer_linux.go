package usersocket

import "golang.org/x/sys/unix"

// peer is the user at the other end of a socket, -1 for unknown.
func peer(fd int) int {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return -1
	}
	return int(cred.Uid)
}
