package writefile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const dontWait = 0

func isTooLong(err error) bool {
	const invalidName, tooLong = syscall.Errno(123), syscall.Errno(206)
	return errors.Is(err, invalidName) || errors.Is(err, tooLong)
}

// Files of Windows take their rights from the folder.
func sameOwner(*os.File, fs.FileInfo) error { return nil }
func asFolder(*os.Root, string) error       { return nil }
