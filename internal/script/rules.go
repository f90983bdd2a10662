package script

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Rules judge what leads out of a script: they are those of the session's
// tools. Each is asked with what Go has made of an argument, which is then what
// is used.
type Rules interface {
	// Navigate judges where a page is to go, Request what is to be asked for.
	Navigate(url string) error
	Request(url string) error
	// Proxy judges that a context is to have a proxy of its own.
	Proxy() error
	// Open judges that the browser is to open something: a method of Browser.
	Open(method string) error
	// Upload judges that a page is given a file, or a folder with all that is in
	// it and all that its links lead to. The path is one that Within allows.
	Upload(path string) error
	// Within opens the allowed folder that an absolute path leads into, with
	// links followed, and names the path inside of it.
	Within(path string) (folder *os.Root, name string, err error)
}

// within is [Rules.Within] for a path of a script's.
func (r *Runtime) within(path string) (*os.Root, string, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, "", fmt.Errorf("not a path: %q", path)
	}
	if !filepath.IsAbs(path) {
		path = r.host.home() + string(filepath.Separator) + path // not Join: ".." after a link is the link's business
	}
	root, name, err := r.host.Rules.Within(path)
	if err != nil {
		return nil, "", fmt.Errorf("EACCES: %w", err)
	}
	return root, name, nil
}

// allowed is where a path leads to, for playwright-go to use.
func (r *Runtime) allowed(path string) (string, error) {
	root, name, err := r.within(path)
	if err != nil {
		return "", err
	}
	defer root.Close()
	return filepath.Join(root.Name(), name), nil
}
