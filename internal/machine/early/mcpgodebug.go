package early

import "syscall"

const mcpGoDebug = "MCPGODEBUG"

// mendEnvironment removes a malformed MCPGODEBUG, on which the MCP SDK would panic.
func mendEnvironment() {
	if value, ok := syscall.Getenv(mcpGoDebug); ok && !validGoDebug(value) {
		_ = syscall.Unsetenv(mcpGoDebug)
	}
}

// validGoDebug reports whether each part between commas has an equals sign.
func validGoDebug(value string) bool {
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
