package main

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// apart keeps a service away from the terminal of the command that started it.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// keepNothing: a program gets no handles here that it is not given.
func keepNothing() {}
