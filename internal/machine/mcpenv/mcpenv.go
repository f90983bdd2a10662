// Package mcpenv is imported for its effect: it removes a malformed MCPGODEBUG
// from the environment, on which the MCP SDK would panic.
//
// It comes in time because packages are initialised in the order of their
// import paths as soon as all that they import is (the Go specification,
// "Program initialization"): it imports syscall and nothing else, where the
// SDK's package waits for fmt and all that is behind that. A test of the binary
// holds it.
package mcpenv

import "syscall"

const name = "MCPGODEBUG"

func init() {
	if value, ok := syscall.Getenv(name); ok && !valid(value) {
		_ = syscall.Unsetenv(name)
	}
}

// valid reports whether each part between commas has an equals sign.
func valid(value string) bool {
	equals := value == ""
	for i := 0; i <= len(value); i++ {
		switch {
		case i == len(value) || value[i] == ',':
			if !equals {
				return false
			}
			equals = false
		case value[i] == '=':
			equals = true
		}
	}
	return true
}
