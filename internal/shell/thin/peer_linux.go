package thin

import "syscall"

// Peer is the user at the other end of a socket, -1 for unknown.
func Peer(fd int) int {
	cred, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return -1
	}
	return int(cred.Uid)
}
