//go:build unix

package main

import "syscall"

// apart keeps a service away from the terminal of the command that started it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
