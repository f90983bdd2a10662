package nodesandbox

import "golang.org/x/sys/unix"

// ownNamespaces: a network without a way out, no other processes, no messages between
// them. The user namespace lets an ordinary user have the others.
const ownNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS

// namespaces are tried one after the other. Kernels and containers refuse them in many
// ways, and none is necessary.
var namespaces = []uintptr{ownNamespaces, 0}
