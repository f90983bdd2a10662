package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Control files and folders steer pwpipe, or hold what it keeps from clients: secrets,
// log-ins, settings, init scripts, certificates, states, the cache with the driver's code,
// the folder of the service's socket. They are registered at the start. No tool, script,
// client or download reads or writes them, wherever they lie and however they are named.

// controls are the places of control files and folders: real paths, and the places of the
// links that lead to them.
var controls struct {
	sync.Mutex
	places []string
}

// CloseControl registers control files and folders. A path need not exist yet; "" is none.
func CloseControl(paths ...string) error {
	var all []string
	for _, path := range paths {
		if path == "" {
			continue
		}
		real, err := RealPath(path)
		if err != nil {
			return err
		}
		links, err := linksOf(path)
		if err != nil {
			return err
		}
		all = append(append(all, real), links...)
	}
	controls.Lock()
	defer controls.Unlock()
	for _, place := range all {
		if !slices.Contains(controls.places, place) {
			controls.places = append(controls.places, place)
		}
	}
	return nil
}

// maxLinks bounds the links of a path, as the kernel does.
const maxLinks = 40

// linksOf are the places of the links in a path, and of those that they lead to: whoever
// replaces one of them replaces the file.
func linksOf(path string) (list []string, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	for range maxLinks {
		at, rest := firstLink(path)
		if at == "" {
			return list, nil
		}
		list = append(list, at)
		to, err := os.Readlink(at)
		if err != nil {
			return nil, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		path = filepath.Join(to, rest)
	}
	return list, nil
}

// firstLink is the first part of a clean path that is a link, and what follows it; "" if
// there is none.
func firstLink(path string) (at, rest string) {
	root := filepath.VolumeName(path) + string(filepath.Separator)
	at = root
	parts := strings.Split(strings.TrimPrefix(path, root), string(filepath.Separator))
	for i, part := range parts {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		if err != nil {
			return "", ""
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return at, filepath.Join(parts[i+1:]...)
		}
	}
	return "", ""
}

// controlPlaces are the registered places.
func controlPlaces() []string {
	controls.Lock()
	defer controls.Unlock()
	return slices.Clone(controls.places)
}

// isControl reports whether a real path is a control file, in a control folder, or another
// name of one: in another case, by a mount, or by a hard link to a registered file.
func isControl(real string) bool {
	if isSettings(real) {
		return true
	}
	places := controlPlaces()
	var known []os.FileInfo
	for _, place := range places {
		if _, in := below(place, real); in {
			return true
		}
		if info, err := os.Stat(place); err == nil {
			known = append(known, info)
		}
	}
	if info, err := os.Stat(real); err == nil && isLinkedIn(places, info) {
		return true
	}
	for at := real; len(known) > 0; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && isOneOf(info, known) {
			return true
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return false
}

func isOneOf(info os.FileInfo, known []os.FileInfo) bool {
	return slices.ContainsFunc(known, func(k os.FileInfo) bool { return os.SameFile(k, info) })
}

// SettingsName is the name of files of settings. Package thin has it too, which may import
// next to nothing; TestSettingsName compares the two.
const SettingsName = "pwpipe.json"

// isSettings recognises files of settings by their name: one that does not exist yet would
// steer the next start in its folder.
func isSettings(path string) bool {
	name := filepath.Base(path)
	if runtime.GOOS == "windows" { // which ignores these endings, and streams of a file
		name, _, _ = strings.Cut(name, ":")
		name = strings.TrimRight(name, " .")
	}
	return strings.EqualFold(name, SettingsName)
}

// IsOpenedControl reports whether an open file is a control file, whatever name it was opened by.
func IsOpenedControl(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return true
	}
	for _, place := range controlPlaces() {
		if known, err := os.Stat(place); err == nil && os.SameFile(known, info) {
			return true
		}
	}
	if isLinkedIn(controlPlaces(), info) {
		return true
	}
	real, err := openedPath(f)
	return err == nil && isControl(real)
}

// holdsControl reports whether a folder has a control file, which who removes or moves the
// folder would remove or move.
func holdsControl(dir string) bool {
	if slices.ContainsFunc(controlPlaces(), func(place string) bool {
		_, in := below(dir, place)
		return in
	}) {
		return true
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return isControl(dir)
	}
	return filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && isSettings(at) {
			return fs.ErrExist
		}
		return nil
	}) != nil
}

// IsClosed reports whether a path is one that no client may read or write.
func IsClosed(path string) bool {
	real, err := RealPath(path)
	return err != nil || closedFile(real)
}
