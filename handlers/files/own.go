package files

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pwpipe/internal/machine/temp"
	"pwpipe/provider"
)

// All sessions of a service may use the temporary folder. Tools must not touch pwpipe's
// own files there: profiles, recordings in progress. A session can read a file that
// pwpipe leaves there for it (a download without a given path) by its name, which can't
// be guessed and which no listing shows.

// closedPrefixes begin the names of pwpipe's own folders.
var closedPrefixes = []string{temp.RunPrefix, temp.LinkPrefix, HarPrefix, WatchPrefix}

const (
	HarPrefix     = "pwpipe-har-"
	WatchPrefix   = "pwpipe-watch-"
	SessionPrefix = "pwpipe-session-" // folders of what a session of the service was written
)

// artifact is a file that Playwright keeps for a page in its run's folder, such as a
// download. Its name is random and known only to its receiver.
var artifact = regexp.MustCompile(`^[^/]+/playwright-artifacts-\w+/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$`)

// closedFolders are further folders that no tool may touch.
var closedFolders struct {
	sync.Mutex
	list []string
}

// CloseFolder forbids a folder to tools.
func CloseFolder(dir string) error {
	real, err := RealPath(dir)
	if err != nil {
		return err
	}
	closedFolders.Lock()
	defer closedFolders.Unlock()
	closedFolders.list = append(closedFolders.list, real)
	return nil
}

// closedFile reports whether a real path is forbidden to tools.
func closedFile(real string) bool {
	if isControl(real) {
		return true
	}
	if rel, ok := below(tempFolder(), real); ok {
		first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if hasPrefix(first, closedPrefixes...) && !artifact.MatchString(filepath.ToSlash(rel)) {
			return true
		}
	}
	closedFolders.Lock()
	defer closedFolders.Unlock()
	return slices.ContainsFunc(closedFolders.list, func(dir string) bool {
		_, in := below(dir, real)
		return in && !slices.ContainsFunc(InForce().Roots, func(root string) bool {
			_, named := below(dir, root)
			return named // by --allow-dir, or as the working directory
		})
	})
}

// Unlisted reports whether listings leave a name out.
func Unlisted(name string) bool {
	return hasPrefix(name, closedPrefixes...) || hasPrefix(name, temp.DownloadPrefix, SessionPrefix)
}

// HoldsOthers reports whether a folder has, or may have, contents that are not for all
// who may use the folder. Such a folder can't be used as a whole.
func HoldsOthers(path string) bool {
	real, err := RealPath(path)
	if err != nil {
		return true
	}
	closedFolders.Lock()
	places := append([]string{tempFolder(), filepath.Join(tempFolder(), BrowserFolder)}, closedFolders.list...)
	closedFolders.Unlock()
	if out := ChosenOutput(); out != "" {
		places = append(places, out)
	}
	return holdsControl(real) || slices.ContainsFunc(places, func(place string) bool {
		_, in := below(real, place)
		return in
	})
}

// NewFolder makes a folder with a name that can't be guessed.
func NewFolder(parent, prefix string) (string, error) {
	dir := filepath.Join(parent, prefix+rand.Text())
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", provider.Errorf(provider.KindFailed, "%w", err)
	}
	return dir, nil
}

// tempFolder is the real path of the folder for temporary files.
func tempFolder() string {
	dir, err := RealPath(os.TempDir())
	if err != nil {
		return os.TempDir()
	}
	return dir
}

// below is a path relative to a folder that contains it or that it is.
func below(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// BrowserFolder is the name of playwright_browser's folder in the temporary folder.
const BrowserFolder = "playwright_browser"

// private holds the real paths of files that no client may read.
var private struct {
	sync.Mutex
	list []string
}

// KeepPrivate keeps a file, such as a key, out of the allowed folders. It refuses a file that lies
// in one: a script reads all of a folder. Later no folder that has the file can be allowed.
func KeepPrivate(path string) error {
	real, err := RealPath(path)
	if err != nil {
		return err
	}
	allowing.Lock()
	defer allowing.Unlock()
	if root := InForce().rootOf(real); root != "" {
		return fmt.Errorf("%s lies in %s, where scripts and uploads can read it; "+
			"move it, or name other folders by --allow-dir", path, root)
	}
	private.Lock()
	defer private.Unlock()
	private.list = append(private.list, real)
	return nil
}

// hasPrivate returns an error if a folder has a private file.
func hasPrivate(dir string) error {
	private.Lock()
	defer private.Unlock()
	if i := slices.IndexFunc(private.list, func(file string) bool {
		_, in := below(dir, file)
		return in
	}); i >= 0 {
		return fmt.Errorf("%s has the key of a client certificate, %s; use another folder", dir,
			filepath.Base(private.list[i]))
	}
	return nil
}
