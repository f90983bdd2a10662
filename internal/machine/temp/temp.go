// Package temp makes and removes the temporary folders of runs.
package temp

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// RunPrefix begins the names of run folders, which have profiles and Playwright's own
// files: nobody else may read them.
const RunPrefix = "pwpipe-run-"

// Make makes the folder of a run, named by our process id. The driver that gets it
// removes it.
func Make() (string, error) {
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", RunPrefix, os.Getpid()))
	if err != nil {
		return "", fmt.Errorf("making a temporary folder: %w", err)
	}
	return dir, nil
}

// longest is the longest path for a run's folder. Whole Chromiums make sockets below
// it, org.chromium.Chromium.scoped_dir.123456/SingletonSocket, and the path of a socket
// has at most 107 bytes, on macOS 103.
const longest = 46

// LinkPrefix begins the names of folders with links to run folders.
const LinkPrefix = "pwpipe-t-"

// linkName is the link in such a folder; linkedName is a link in the run's folder to
// it.
const (
	linkName   = "t"
	linkedName = "shorter"
)

// shorter are the short paths of run folders.
var shorter sync.Map

// Short is a path of a run's folder that is short enough for the sockets that are made
// there: a link, if the temporary folder has a long name. It is dir if there is nothing
// better.
func Short(dir string) string {
	if len(dir) <= longest || runtime.GOOS == "windows" {
		return dir
	}
	if link, ok := shorter.Load(dir); ok {
		return link.(string)
	}
	for _, root := range []string{os.Getenv("XDG_RUNTIME_DIR"), "/tmp", "/var/tmp"} {
		if root == "" || len(root) > longest/2 {
			continue
		}
		folder, err := os.MkdirTemp(root, LinkPrefix)
		if err != nil {
			continue
		}
		link := filepath.Join(folder, linkName)
		if os.Symlink(dir, link) == nil && os.Symlink(link, filepath.Join(dir, linkedName)) == nil {
			shorter.Store(dir, link)
			return link
		}
		unlink(dir, link)
	}
	return dir
}

// unlink removes a link to a folder, and nothing else: the browser can write the file
// that names it.
func unlink(dir, link string) {
	shorter.Delete(dir)
	if to, err := os.Readlink(link); err == nil && to == dir {
		_ = os.Remove(link)
	}
	if strings.HasPrefix(filepath.Base(filepath.Dir(link)), LinkPrefix) {
		_ = os.Remove(filepath.Dir(link)) // if it is empty
	}
}

// DownloadPrefix begins the names of temporary folders for downloads without a given
// path. The caller may read a download after we have ended, so it is kept for a day.
const DownloadPrefix = "pwpipe-download-"

const downloadsKept = 24 * time.Hour

// Sweep removes the folders of killed runs, and old downloads.
func Sweep() {
	downloads, _ := filepath.Glob(filepath.Join(os.TempDir(), DownloadPrefix+"*"))
	for _, dir := range downloads {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && time.Since(info.ModTime()) > downloadsKept {
			_ = os.RemoveAll(dir)
		}
	}
	for _, dir := range Left() {
		Remove(dir)
	}
}

// Runs reports whether a process exists.
func Runs(pid int) bool { return processExists(pid) }

// Left are the folders of killed runs.
func Left() (list []string) {
	all, _ := filepath.Glob(filepath.Join(os.TempDir(), RunPrefix+"*"))
	for _, dir := range all {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), RunPrefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && !processExists(n) && isOurs(dir) {
			list = append(list, dir)
		}
	}
	return list
}

// Remove removes the folder of a run. A browser that was just killed may
// still be finishing a file there.
func Remove(dir string) {
	inside, _ := os.ReadDir(dir)
	linked := []string{dir}
	for _, e := range inside {
		linked = append(linked, filepath.Join(dir, e.Name())) // the folder of one of several browsers
	}
	for _, d := range linked {
		if link, err := os.Readlink(filepath.Join(d, linkedName)); err == nil {
			unlink(d, link)
		}
	}
	for range 10 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
