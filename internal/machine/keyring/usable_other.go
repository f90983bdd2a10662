//go:build !linux

package keyring

import (
	"fmt"
	"runtime"
)

// Name is the keyring of this platform.
var Name = map[string]string{"darwin": "Keychain", "windows": "Credential Manager"}[runtime.GOOS]

// usable says why there is no keyring, nil if there is one.
func usable() error {
	if Name == "" {
		return fmt.Errorf("none is supported on %s", runtime.GOOS)
	}
	return nil
}
