// Package files decides where tools may read and write, and writes files whole
// or not at all.
package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"pwpipe/internal/machine/setup"
	"pwpipe/provider"
)

// folders are the folders in which tools may read and write, by their real paths.
type folders struct {
	Roots  []string
	output string // "" if none was chosen
}

// limits are the folders of this process, for all its browsers and sessions.
var limits atomic.Pointer[folders]

// LimitFiles sets the folders that tools may touch: dirs, and output, where tools write
// files without a given path. Without dirs they are the working directory and the
// temporary folder. Folders of dirs must exist; output is created.
func LimitFiles(dirs []string, output string) error {
	f := &folders{}
	byDefault := len(dirs) == 0
	if byDefault {
		dirs = []string{os.TempDir()}
		// The whole file system would be no limit, so / does not count as a working
		// directory.
		if cwd, err := os.Getwd(); err == nil && filepath.Dir(cwd) != cwd {
			dirs = append(dirs, cwd)
		}
	}
	if output != "" {
		if err := os.MkdirAll(output, 0o700); err != nil {
			return fmt.Errorf("--output-dir: %w", err)
		}
		real, err := RealPath(output)
		if err != nil {
			return fmt.Errorf("--output-dir: %w", err)
		}
		f.output, f.Roots = real, []string{real}
	}
	for _, dir := range dirs {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err == nil {
			var info os.FileInfo
			if info, err = os.Stat(real); err == nil && !info.IsDir() {
				err = fmt.Errorf("%s is not a folder", dir)
			}
		}
		if err != nil && byDefault && dir == os.TempDir() {
			return cmp.Or(setup.CheckTemp(), fmt.Errorf("the temporary folder: %w", err))
		}
		if err != nil {
			return fmt.Errorf("--allow-dir: %w", err)
		}
		f.Roots = append(f.Roots, real)
	}
	limits.Store(f)
	return nil
}

// allowing is held while the folders change.
var allowing sync.Mutex

// AllowFolder lets tools touch one more folder from now on: that of a shell command, say.
// The whole file system is no limit, so the root is left out, as it is where it is the
// working directory.
func AllowFolder(dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	allowing.Lock()
	defer allowing.Unlock()
	now := InForce()
	if filepath.Dir(real) == real || now.rootOf(real) != "" {
		return nil
	}
	if err := hasPrivate(real); err != nil {
		return err
	}
	limits.Store(&folders{Roots: append(slices.Clone(now.Roots), real), output: now.output})
	return nil
}

// InForce are the folders, by default the default ones.
func InForce() *folders {
	if limits.Load() == nil {
		_ = LimitFiles(nil, "")
	}
	return limits.Load()
}

// ChosenOutput is the folder of --output-dir. If it is "", each tool uses its own
// folder in the temporary one.
func ChosenOutput() string { return InForce().output }

// rootOf is the allowed folder that contains a real path, "" for none.
func (f *folders) rootOf(real string) string {
	i := slices.IndexFunc(f.Roots, func(root string) bool {
		_, in := below(root, real)
		return in
	})
	if i < 0 {
		return ""
	}
	return f.Roots[i]
}

// MayTouch refuses a path from a tool's parameters or a page if it leads out of the
// allowed folders: by an absolute path, by "..", or by a link.
func MayTouch(path string) error {
	f := InForce()
	real, err := RealPath(path)
	switch {
	case err == nil && closedFile(real):
		return provider.Errorf(provider.KindBlocked, "path: %s: pwpipe keeps it closed", path)
	case err == nil && f.rootOf(real) != "":
		return nil
	case err == nil:
		err = errors.New("it is outside of the allowed folders (" + strings.Join(f.Roots, ", ") + ")")
	}
	return provider.Errorf(provider.KindBlocked, "path: %s: %w", path, err).WithHint("--allow-dir allows others")
}

// RealPath resolves a path with all links. It follows links and ".." as far as the path
// exists; the rest can't lead elsewhere. A link that leads nowhere is an error.
func RealPath(path string) (string, error) {
	if !filepath.IsAbs(path) {
		cwd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		path = cwd + string(filepath.Separator) + path // not Join: ".." after a link refers to the link's target
	}
	if strings.ContainsRune(path, 0) {
		return "", errors.New("it contains a NUL byte") // the browser would open what stands before
	}
	rest := ""
	for at := path; ; {
		_, err := os.Lstat(at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return "", err // unknown what it is
		}
		if err == nil {
			real, err := filepath.EvalSymlinks(at)
			if err != nil {
				return "", fmt.Errorf("a symbolic link in it leads nowhere")
			}
			return filepath.Join(real, rest), nil
		}
		dir, name := filepath.Split(strings.TrimRight(at, string(filepath.Separator)))
		if trimmed := strings.TrimRight(dir, string(filepath.Separator)); trimmed != filepath.VolumeName(dir) {
			dir = trimmed // with the separator a link at the end would be followed
		}
		if name == ".." {
			return "", errors.New(`".." after a folder that is not there`)
		}
		if dir == "" || dir == at {
			return "", fs.ErrNotExist
		}
		at, rest = dir, filepath.Join(name, rest)
	}
}

// WithinFolder opens the allowed folder that contains a path, and answers the path
// relative to it. Links that are created later can't lead out of it: [os.Root].
func WithinFolder(path string) (*os.Root, string, error) {
	if err := MayTouch(path); err != nil {
		return nil, "", err
	}
	real, err := RealPath(path)
	if err != nil {
		return nil, "", err
	}
	dir := InForce().rootOf(real)
	rel, err := filepath.Rel(dir, real)
	if err != nil {
		return nil, "", err
	}
	root, err := os.OpenRoot(dir)
	return root, rel, err
}
