package script

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// resolve makes a path absolute and checks that it is in an allowed folder,
// with links followed as far as the path exists.
func (h Host) resolve(path string) (string, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", fmt.Errorf("not a path: %q", path)
	}
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(h.home(), abs)
	}
	abs = filepath.Clean(abs)
	real, err := realPath(abs, 0)
	if err != nil {
		return "", err
	}
	for _, folder := range h.Folders {
		f, err := filepath.EvalSymlinks(folder)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(f, real); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return real, nil
		}
	}
	return "", fmt.Errorf("EACCES: %s is outside of the folders that scripts may use (%s)", path, strings.Join(h.Folders, ", "))
}

// realPath follows the links of the part of a path that exists, a last one
// that leads nowhere included.
func realPath(abs string, depth int) (string, error) {
	if depth > 40 {
		return "", fmt.Errorf("ELOOP: %s", abs)
	}
	if link, err := os.Readlink(abs); err == nil {
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(abs), link)
		}
		return realPath(filepath.Clean(link), depth+1)
	}
	if filepath.Dir(abs) == abs {
		return abs, nil
	}
	dir, err := realPath(filepath.Dir(abs), depth+1)
	return filepath.Join(dir, filepath.Base(abs)), err
}

// home is the folder that relative paths start from.
func (h Host) home() string {
	if len(h.Folders) == 0 {
		return string(filepath.Separator)
	}
	return h.Folders[0]
}

// temp is the folder for temporary files.
func (h Host) temp() string {
	if len(h.Folders) == 0 {
		return h.home()
	}
	return h.Folders[len(h.Folders)-1]
}

// maxFile bounds the files that scripts read, in bytes.
const maxFile = 64 << 20

// fs is one operation of the module fs, inside the allowed folders.
func (r *Runtime) fs(op, path string, data goja.Value) (goja.Value, error) {
	p, err := r.host.resolve(path)
	if err != nil {
		return nil, err
	}
	do, ok := fsOps[op]
	if !ok {
		return nil, fmt.Errorf("fs has no operation %q", op)
	}
	v, err := do(r, p, data)
	if err != nil {
		return nil, errors.New(nodeError(op, path, err))
	}
	return v, nil
}

// nodeError words an error as Node does, so that scripts can tell by it.
func nodeError(op, path string, err error) string {
	code := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code = "ENOENT: no such file or directory, "
	case errors.Is(err, fs.ErrExist):
		code = "EEXIST: file already exists, "
	case errors.Is(err, fs.ErrPermission):
		code = "EACCES: permission denied, "
	default:
		return fmt.Sprintf("%s %s: %v", op, path, err)
	}
	return fmt.Sprintf("%s%s '%s'", code, op, path)
}

// fsOps are the operations on an allowed path, by name. data is what the
// operation is given besides.
var fsOps = map[string]func(r *Runtime, p string, data goja.Value) (goja.Value, error){
	"read":      (*Runtime).readFile,
	"write":     done(func(_ Host, p string, data goja.Value) error { return os.WriteFile(p, contentOf(data), 0o644) }),
	"append":    done(func(_ Host, p string, data goja.Value) error { return appendFile(p, contentOf(data)) }),
	"mkdir":     done(makeDir),
	"remove":    done(func(_ Host, p string, _ goja.Value) error { return os.Remove(p) }),
	"removeAll": done(func(_ Host, p string, _ goja.Value) error { return os.RemoveAll(p) }),
	"rename":    done(renameFile),
	"list":      (*Runtime).listDir,
	"stat":      (*Runtime).statFile,
}

// done is an operation that answers nothing.
func done(op func(h Host, p string, data goja.Value) error) func(*Runtime, string, goja.Value) (goja.Value, error) {
	return func(r *Runtime, p string, data goja.Value) (goja.Value, error) {
		return goja.Undefined(), op(r.host, p, data)
	}
}

func contentOf(data goja.Value) []byte {
	if b, ok := bytesOf(data); ok {
		return b
	}
	return []byte(data.String())
}

func (r *Runtime) readFile(p string, _ goja.Value) (goja.Value, error) {
	info, err := os.Stat(p)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("not a regular file of at most %d MiB", maxFile>>20)
	}
	b, err := os.ReadFile(p)
	return r.bytes(b), err
}

func appendFile(p string, content []byte) error {
	f, err := os.OpenFile(p, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// makeDir makes a folder; data says whether those above it too.
func makeDir(_ Host, p string, data goja.Value) error {
	if data.ToBoolean() {
		return os.MkdirAll(p, 0o777)
	}
	return os.Mkdir(p, 0o777)
}

func renameFile(h Host, p string, data goja.Value) error {
	to, err := h.resolve(data.String())
	if err != nil {
		return err
	}
	return os.Rename(p, to)
}

func (r *Runtime) listDir(p string, _ goja.Value) (goja.Value, error) {
	list, err := os.ReadDir(p)
	names := make([]any, len(list))
	for i, e := range list {
		names[i] = e.Name()
	}
	return r.vm.NewArray(names...), err
}

func (r *Runtime) statFile(p string, _ goja.Value) (goja.Value, error) {
	info, err := os.Stat(p)
	if err != nil {
		return nil, err
	}
	o := r.vm.NewObject()
	_ = o.Set("size", info.Size())
	_ = o.Set("mtimeMs", info.ModTime().UnixMilli())
	_ = o.Set("mtime", info.ModTime().UTC().Format(time.RFC3339Nano))
	_ = o.Set("dir", info.IsDir())
	return o, nil
}
