package scripthost

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"pwpipe/internal/machine/writefile"
)

// maxFile bounds the files that scripts read, in bytes.
const maxFile = 64 << 20

// fileCall is an operation on a file: of the module fs, and of what Playwright
// writes and reads.
type fileCall struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	To    string `json:"to"`    // of a rename
	All   bool   `json:"all"`   // mkdir: those above it too
	Force bool   `json:"force"` // removeAll: what is not there is no error
	// Private is of write, append and create: only this user may read the file.
	Private bool `json:"private"`
	raw     []byte
}

// fileReply is what it answers besides bytes.
type fileReply struct {
	Names   []listed `json:"names,omitempty"`
	Size    int64    `json:"size"`
	MtimeMs float64  `json:"mtimeMs"`
	Dir     bool     `json:"dir"`
}

type listed struct {
	Name string `json:"name"`
	Dir  bool   `json:"dir"`
}

// file is one operation, inside the allowed folders: through a handle to the
// folder, which links that are put in the way can't lead out of.
func (h Host) file(c fileCall) (reply fileReply, raw []byte, err error) {
	if name, ok := strings.CutPrefix(c.Path, downloads+"/"); ok {
		raw, err = h.download(c.Op, name)
		return fileReply{Size: int64(len(raw))}, raw, err
	}
	do, ok := fileOps[c.Op]
	if !ok {
		return reply, nil, fmt.Errorf("fs has no operation %.40q", c.Op)
	}
	if h.Mask != nil && utf8.Valid(c.raw) {
		c.raw = []byte(h.Mask(string(c.raw)))
	}
	folder, name, err := h.within(c.Path)
	if err != nil {
		return reply, nil, err
	}
	defer folder.Close()
	reply, raw, err = do(h, folder, name, c)
	if err != nil {
		err = errors.New(nodeError(c.Op, c.Path, err))
	}
	return reply, raw, err
}

// downloads is the folder of downloads, as Playwright sees it. There is no such folder: it
// stands for the files that the driver keeps.
const downloads = "/downloads-of-this-session"

func (h Host) download(op, name string) ([]byte, error) {
	if op != "read" && op != "stat" || h.Download == nil {
		return nil, fmt.Errorf("EACCES: permission denied, %.40s", op)
	}
	path, err := h.Download(name)
	if err != nil {
		return nil, err
	}
	return readBounded(path, errLarge)
}

var errLarge = fmt.Errorf("more than %d MiB", maxFile>>20)

// readBounded reads a file, unless it is too large.
func readBounded(path string, large error) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.Size() > maxFile:
		return nil, large
	}
	return os.ReadFile(path)
}

// codes are Node's names of errors, by which scripts can tell.
var codes = []struct {
	is   error
	code string
}{
	{fs.ErrNotExist, "ENOENT: no such file or directory, "},
	{fs.ErrExist, "EEXIST: file already exists, "},
	{fs.ErrPermission, "EACCES: permission denied, "},
}

var nodeNames = map[string]string{"read": "open", "write": "open", "overwrite": "open", "append": "open",
	"create": "open", "list": "scandir", "remove": "unlink", "removeAll": "rm"}

// nodeError words an error as Node does.
func nodeError(op, path string, err error) string {
	op = cmp.Or(nodeNames[op], op)
	for _, c := range codes {
		if errors.Is(err, c.is) {
			return fmt.Sprintf("%s%s '%s'", c.code, op, path)
		}
	}
	return fmt.Sprintf("%s %s: %v", op, path, err)
}

// fileOp is an operation on a file of a folder.
type fileOp func(h Host, folder *os.Root, name string, c fileCall) (fileReply, []byte, error)

// done makes one of an operation that answers nothing.
func done(op func(h Host, folder *os.Root, name string, c fileCall) error) fileOp {
	return func(h Host, folder *os.Root, name string, c fileCall) (r fileReply, _ []byte, err error) {
		return r, nil, op(h, folder, name, c)
	}
}

// put makes one that writes a file, opened as the flags say.
func put(how int) fileOp {
	return done(func(h Host, folder *os.Root, name string, c fileCall) error {
		return h.putFile(folder, name, how, c.mode(), c.raw)
	})
}

// fileOps are the operations, by name.
var fileOps = map[string]fileOp{
	"may":  done(func(Host, *os.Root, string, fileCall) error { return nil }), // whether it is allowed at all
	"read": readFile, "overwrite": done(overwrite), "write": put(os.O_TRUNC), "append": put(os.O_APPEND), "create": put(os.O_EXCL), "list": listFolder, "stat": statFile,
	"mkdir": done(makeFolder), "removeAll": done(removeAll), "rename": done(rename), "remove": done(func(_ Host, folder *os.Root, name string, _ fileCall) error { return folder.Remove(name) }),
}

// Regular tells that a file is none that a read or a write could wait for.
func Regular(folder *os.Root, name string) (os.FileInfo, error) {
	info, err := folder.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	return info, err
}

func readFile(h Host, folder *os.Root, name string, _ fileCall) (r fileReply, _ []byte, err error) {
	info, err := Regular(folder, name)
	if err != nil {
		return r, nil, err
	}
	if info.Size() > maxFile {
		return r, nil, errLarge
	}
	raw, err := h.readOpen(folder, name)
	return r, raw, err
}

// readOpen reads a file, unless the name has led to one that is closed meanwhile.
func (h Host) readOpen(folder *os.Root, name string) ([]byte, error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := h.opened(f); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// opened judges a file that is open.
func (h Host) opened(f *os.File) error {
	if h.Opened == nil {
		return nil
	}
	return h.Opened(f)
}

// mode is that of a file that the call makes.
func (c fileCall) mode() fs.FileMode {
	if c.Private {
		return writefile.Private
	}
	return writefile.Public
}

// putFile writes to a file, which is made if it is not there; how is os.O_TRUNC, os.O_APPEND
// or os.O_EXCL. What is to be replaced stays until the new text is there.
func (h Host) putFile(folder *os.Root, name string, how int, mode fs.FileMode, content []byte) error {
	if how == os.O_TRUNC {
		write := func(f *os.File) error { _, err := f.Write(content); return err }
		return writefile.WholeIn(folder, name, mode, write, func() error { return h.mayReplace(folder, name) })
	}
	f, err := writefile.OpenIn(folder, name, mode, how)
	if err != nil {
		return err
	}
	if err = h.opened(f); err != nil {
		return errors.Join(err, f.Close())
	}
	before, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.Write(content)
	}
	if err != nil && before > 0 {
		_ = f.Truncate(before)
	}
	if err = errors.Join(err, f.Close()); err != nil && before == 0 {
		_ = folder.Remove(name) // half a file is none
	}
	return err
}

// mayReplace refuses a file that is closed, whatever name leads to it.
func (h Host) mayReplace(folder *os.Root, name string) error {
	if _, err := folder.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f, err := writefile.OpenIn(folder, name, writefile.Public, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return h.opened(f)
}

// overwrite puts bytes in the place of as many at the beginning of a file.
func overwrite(h Host, folder *os.Root, name string, c fileCall) error {
	if _, err := Regular(folder, name); err != nil {
		return err
	}
	f, err := writefile.OpenIn(folder, name, writefile.Public, 0)
	if err != nil {
		return err
	}
	if err = h.opened(f); err == nil {
		_, err = f.WriteAt(c.raw, 0)
	}
	return errors.Join(err, f.Close())
}

func makeFolder(_ Host, folder *os.Root, name string, c fileCall) error {
	if c.All {
		return folder.MkdirAll(name, 0o777)
	}
	return folder.Mkdir(name, 0o777)
}

// shared refuses a folder that holds others' things.
func (h Host) shared(path string) error {
	if h.Shared != nil && h.Shared(path) {
		return fmt.Errorf("it holds files that this script may not use: %w", fs.ErrPermission)
	}
	return nil
}

func removeAll(h Host, folder *os.Root, name string, c fileCall) error {
	if err := h.shared(filepath.Join(folder.Name(), name)); err != nil {
		return err
	}
	if _, err := folder.Lstat(name); err != nil && !c.Force {
		return err
	}
	return folder.RemoveAll(name)
}

// rename moves within a folder, as a rename does; a file into another of the
// allowed folders too.
func rename(h Host, folder *os.Root, name string, c fileCall) error {
	if err := h.shared(filepath.Join(folder.Name(), name)); err != nil {
		return err
	}
	there, to, err := h.within(c.To)
	if err != nil {
		return err
	}
	defer there.Close()
	if err := h.shared(filepath.Join(there.Name(), to)); err != nil {
		return err
	}
	if there.Name() == folder.Name() {
		return writefile.MoveIn(folder, name, to)
	}
	if _, err := Regular(folder, name); err != nil {
		return err
	}
	content, err := h.readOpen(folder, name)
	if err == nil {
		err = h.putFile(there, to, os.O_TRUNC, writefile.Public, content)
	}
	if err != nil {
		return err
	}
	return folder.Remove(name)
}

func listFolder(h Host, folder *os.Root, name string, _ fileCall) (r fileReply, _ []byte, err error) {
	f, err := folder.Open(name)
	if err != nil {
		return r, nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	slices.SortFunc(list, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	r.Names = []listed{}
	for _, e := range list {
		if h.Unlisted == nil || !h.Unlisted(e.Name()) {
			r.Names = append(r.Names, listed{e.Name(), e.IsDir()})
		}
	}
	return r, nil, err
}

func statFile(_ Host, folder *os.Root, name string, _ fileCall) (r fileReply, _ []byte, err error) {
	info, err := folder.Stat(name)
	if err != nil {
		return r, nil, err
	}
	r = fileReply{Size: info.Size(), MtimeMs: float64(info.ModTime().UnixMicro()) / 1000, Dir: info.IsDir()}
	return r, nil, nil
}
