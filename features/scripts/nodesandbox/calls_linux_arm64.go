package nodesandbox

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_AARCH64
	foreignCalls = 0x40000000 // none
)

var callsHere = []int{unix.SYS_NEWFSTATAT}

func rulesHere() []rule { return nil }
