package setup

import (
	"os"
	"runtime"
)

// NoDisplay reports whether a window could not be shown: on Linux and its kin
// the environment names the display.
func NoDisplay() bool {
	switch runtime.GOOS {
	case "windows", "darwin":
		return false
	}
	return os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == ""
}
