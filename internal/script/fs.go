package script

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unicode/utf8"

	"pwpipe/internal/playscript"

	"github.com/dop251/goja"
)

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

// fs is one operation of the module fs, inside the allowed folders: through a
// handle to the folder, which links that are put in the way can't lead out of.
func (r *Runtime) fs(op, path string, data goja.Value) (goja.Value, error) {
	folder, name, err := r.within(path)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	do, ok := fsOps[op]
	if !ok {
		return nil, fmt.Errorf("fs has no operation %q", op)
	}
	v, err := do(r, folder, name, data)
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

// fsOps are the operations on a file of a folder, by name. data is what the
// operation is given besides.
var fsOps = map[string]func(r *Runtime, folder *os.Root, name string, data goja.Value) (goja.Value, error){
	"read":  (*Runtime).readFile,
	"write": done(writeFile),
	"append": done(func(r *Runtime, folder *os.Root, name string, data goja.Value) error {
		return playscript.PutFile(folder, name, os.O_APPEND, r.contentOf(data))
	}),
	"mkdir":     done(makeDir),
	"remove":    done(func(_ *Runtime, folder *os.Root, name string, _ goja.Value) error { return folder.Remove(name) }),
	"removeAll": done(removeAll),
	"rename":    done(renameFile),
	"list":      (*Runtime).listDir,
	"stat":      (*Runtime).statFile,
}

// done is an operation that answers nothing.
func done(op func(r *Runtime, folder *os.Root, name string, data goja.Value) error) func(*Runtime, *os.Root, string, goja.Value) (goja.Value, error) {
	return func(r *Runtime, folder *os.Root, name string, data goja.Value) (goja.Value, error) {
		return goja.Undefined(), op(r, folder, name, data)
	}
}

// contentOf is what is written to a file; secrets are masked in what is text.
func (r *Runtime) contentOf(data goja.Value) []byte {
	b, ok := bytesOf(data)
	if !ok {
		b = []byte(textOf(data))
	}
	if r.host.Mask == nil || !utf8.Valid(b) {
		return b
	}
	return []byte(r.host.Mask(string(b)))
}

func (r *Runtime) readFile(folder *os.Root, name string, _ goja.Value) (goja.Value, error) {
	info, err := playscript.Regular(folder, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("more than %d MiB", maxFile>>20)
	}
	b, err := folder.ReadFile(name)
	return r.bytes(b), err
}

func writeFile(r *Runtime, folder *os.Root, name string, data goja.Value) error {
	return playscript.PutFile(folder, name, os.O_TRUNC, r.contentOf(data))
}

// makeDir makes a folder; data says whether those above it too.
func makeDir(_ *Runtime, folder *os.Root, name string, data goja.Value) error {
	if data != nil && data.ToBoolean() {
		return folder.MkdirAll(name, 0o777)
	}
	return folder.Mkdir(name, 0o777)
}

// shared refuses a folder that holds others' things.
func (r *Runtime) shared(path string) error {
	if r.host.Shared != nil && r.host.Shared(path) {
		return fmt.Errorf("not everything in it is this script's: %w", fs.ErrPermission)
	}
	return nil
}

func removeAll(r *Runtime, folder *os.Root, name string, _ goja.Value) error {
	if err := r.shared(filepath.Join(folder.Name(), name)); err != nil {
		return err
	}
	return folder.RemoveAll(name)
}

// renameFile moves within a folder, as a rename does; a file into another of
// the allowed folders too.
func renameFile(r *Runtime, folder *os.Root, name string, data goja.Value) error {
	if err := r.shared(filepath.Join(folder.Name(), name)); err != nil {
		return err
	}
	there, to, err := r.within(textOf(data))
	if err != nil {
		return err
	}
	defer there.Close()
	if there.Name() == folder.Name() {
		return folder.Rename(name, to)
	}
	if _, err := playscript.Regular(folder, name); err != nil {
		return err
	}
	content, err := folder.ReadFile(name)
	if err == nil {
		err = playscript.PutFile(there, to, os.O_TRUNC, content)
	}
	if err != nil {
		return err
	}
	return folder.Remove(name)
}

func (r *Runtime) listDir(folder *os.Root, name string, _ goja.Value) (goja.Value, error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.Readdirnames(-1)
	slices.Sort(list)
	names := make([]any, 0, len(list))
	for _, e := range list {
		if r.host.Unlisted == nil || !r.host.Unlisted(e) {
			names = append(names, e)
		}
	}
	return r.vm.NewArray(names...), err
}

func (r *Runtime) statFile(folder *os.Root, name string, _ goja.Value) (goja.Value, error) {
	info, err := folder.Stat(name)
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
