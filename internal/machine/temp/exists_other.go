//go:build !unix

package temp

import "os"

func processExists(pid int) bool {
	p, err := os.FindProcess(pid)
	if err == nil {
		_ = p.Release()
	}
	return err == nil
}

func isOurs(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir()
}
