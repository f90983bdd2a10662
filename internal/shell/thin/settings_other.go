//go:build !unix

package thin

import (
	"io/fs"
	"os"
)

const dontWait = 0

// others takes every file: there are no owners to ask about.
func others(fs.FileInfo) string { return "" }

// isAbs knows paths with a drive, C:\ or C:/.
func isAbs(path string) bool {
	return len(path) > 2 && path[1] == ':' && os.IsPathSeparator(path[2])
}

// caseOf is the name of a variable in capitals: Windows finds it however it is written.
func caseOf(name string) string {
	b := []byte(name)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
