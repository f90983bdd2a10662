//go:build unix

package logins

import (
	"fmt"
	"io/fs"
)

// private refuses a file that others may write: it names programs that are run.
func private(file string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s: others may write it, and it names programs to run; chmod go-w", file)
	}
	return nil
}
