package playscript

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"pwpipe/internal/cell"
)

// An image is a heap of Node's that has Playwright in it (a startup snapshot): a
// process that begins with it need not load any. It is of one Node on one kind of
// processor, with the same flags, of one version of the packages and of our own code;
// its name says which. A process that can't begin with one begins without.

const (
	imagePrefix = "scripts-"
	imageSuffix = ".image"
	imageRest   = time.Hour           // one that was of no use is made anew then
	imageAge    = 14 * 24 * time.Hour // those of others are kept so long,
	mostImages  = 8                   // and so many
)

// settings are those that say what the packages are.
func (p Programs) settings(scratch string) settings {
	return settings{Scratch: scratch, Core: p.Core, Test: p.Test, Packages: []string{p.Core, p.Test}}
}

// image is the path of the file, there or not, "" where there can be none.
func (p Programs) image() string {
	program, _, ok := cell.ForImages(p.Node)
	if !ok {
		return ""
	}
	h := sha256.New()
	fmt.Fprintln(h, stamp(program), runtime.GOARCH, processor(), stamp(filepath.Join(p.Core, "package.json")), stamp(filepath.Join(p.Test, "package.json")), cell.Flags(p.Memory), builtinsOf)
	h.Write(entry())
	return filepath.Join(p.Cache, imagePrefix+hex.EncodeToString(h.Sum(nil)[:8])+imageSuffix)
}

// stamp tells a file from one that was installed in its place.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprintf("%q %d %d", path, info.Size(), info.ModTime().UnixNano())
}

// processor says what the processor can do, which V8 makes code for: a cache folder
// may be several machines'.
var processor = sync.OnceValue(func() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, can, ok := strings.Cut(line, ":"); ok && slices.Contains([]string{"flags", "Features"}, strings.TrimSpace(name)) {
			return can
		}
	}
	return ""
})

// unfit are the images that a process of ours could not begin with, by path: the
// [os.FileInfo] of each.
var unfit sync.Map

// begins are the arguments with which Node begins, what it has to read for them, and
// the image, nil for none.
func (p Programs) begins(dir string, s settings) (args, read []string, image *imageFile, err error) {
	program, file, err := writeEntry(dir, s)
	if err != nil {
		return nil, nil, nil, err
	}
	if path := p.image(); path != "" {
		if f, err := os.Open(path); err == nil { // one that is not to be read is none
			info, err := f.Stat()
			_ = f.Close()
			if bad, ok := unfit.Load(path); err == nil && info.Size() > 0 && !(ok && os.SameFile(bad.(os.FileInfo), info)) {
				return []string{"--snapshot-blob", path, file}, []string{p.Core, p.Test, path}, &imageFile{path, info}, nil
			}
		}
	}
	return []string{program, file}, []string{p.Core, p.Test}, nil, nil
}

// imageFile is the image that a process began with.
type imageFile struct {
	path string
	info os.FileInfo
}

// blameImage has an image left alone with which a process did not come to be ready:
// the next begins without. After a while it is made anew.
func (r *Runtime) blameImage() {
	if r.image == nil || r.Began() {
		return
	}
	if _, err := os.Stat(filepath.Join(r.scratch, settingsFile)); err != nil {
		return // its folder has gone, with the browser that it was for
	}
	r.mu.Lock()
	ended := r.why != nil && !errors.Is(r.why, errFailed)
	r.mu.Unlock()
	if ended {
		return // by us
	}
	if exit := (*exec.ExitError)(nil); errors.As(r.cell.Wait(), &exit) {
		if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() && slices.Contains([]syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT}, s.Signal()) {
			return // by somebody
		}
	}
	unfit.Store(r.image.path, r.image.info)
	if info, err := os.Stat(r.image.path); err == nil && os.SameFile(info, r.image.info) {
		_ = blank(r.image.path)
	}
}

// blank puts an empty file in an image's place: who reads that one goes on.
func blank(image string) error {
	f, err := os.CreateTemp(filepath.Dir(image), imagePrefix+"*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o644), f.Close(), os.Rename(f.Name(), image))
}

// imageTime bounds the runs that make one.
const imageTime = time.Minute

// builtinsOf answers, for each of Node's modules, the kinds of its members, and the
// values of the plain ones: in the run that makes an image not all are there.
const builtinsOf = `const all = {};
for (const id of require('module').builtinModules) {
  if (id.startsWith('_')) continue;
  const of = all[id] = {}, module = require(id);
  for (const key of Object.getOwnPropertyNames(module)) {
    const value = module[key], type = value === null || Array.isArray(value) ? undefined : typeof value;
    of[key] = type === 'function' || type === 'object' ? { type } : { type: 'value', value: typeof value === 'bigint' ? undefined : value };
  }
}
process.stdout.write(JSON.stringify(all));`

// making is held while an image is made: one is enough for all sessions.
var making sync.Mutex

// MakeImage makes the file where there is none, in runs of Node that have seen no
// script: what stands there runs in all processes. Without it they start slower. Where
// Node can't make it an empty file says so, for a while.
func (p Programs) MakeImage(ctx context.Context) error {
	making.Lock()
	defer making.Unlock()
	image := p.image()
	if image == "" || made(image) {
		return nil
	}
	dir, err := os.MkdirTemp(p.Cache, imagePrefix+"*.tmp") // the driver's goes with it
	if err != nil {
		return err // it could not be kept
	}
	defer os.RemoveAll(dir)
	file, err := p.makeImage(ctx, dir)
	if failed := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &failed) || failed.ExitCode() < 0) {
		return err // not for Node's sake: somebody ended it, or there is no room
	}
	if made(image) { // by another program
		return nil
	}
	p.removeOld(image)
	if err != nil {
		return errors.Join(err, blank(image))
	}
	return errors.Join(os.Chmod(file, 0o644), os.Rename(file, image))
}

// made reports whether an image is there, or was found not to be of use just now.
func made(image string) bool {
	info, err := os.Stat(image)
	return err == nil && (info.Size() > 0 || time.Since(info.ModTime()) < imageRest)
}

// makeImage makes it in a folder, and answers its path there.
func (p Programs) makeImage(ctx context.Context, dir string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, imageTime)
	defer cancel()
	o := p.settings(dir)
	o.Cwd, o.Tmp, o.Engines = dir, dir, p.Engine
	var err error
	if o.Builtins, err = p.node(ctx, dir, "-e", builtinsOf); err != nil {
		return "", fmt.Errorf("asking Node for its modules: %w", err)
	}
	program, file, err := writeEntry(dir, o)
	if err != nil {
		return "", err
	}
	made := filepath.Join(dir, "made")
	if _, err := p.node(ctx, dir, "--snapshot-blob", made, "--build-snapshot", program, file); err != nil {
		return "", fmt.Errorf("making the image of the packages of scripts: %w", err)
	}
	o.Check, o.Builtins = true, nil
	if file, err = writeSettings(dir, o); err != nil {
		return "", err
	}
	if _, err := p.node(ctx, dir, "--snapshot-blob", made, file); err != nil {
		return "", fmt.Errorf("beginning with the image of the packages of scripts: %w", err)
	}
	return made, nil
}

// node runs the Node of a cell, with what one inherits, and answers what it writes.
// Folders of this process are not to be in an image: others begin with it.
func (p Programs) node(ctx context.Context, dir string, args ...string) ([]byte, error) {
	program, env, _ := cell.ForImages(p.Node)
	cmd := exec.CommandContext(ctx, program, append(cell.Flags(p.Memory), args...)...)
	cmd.Dir, cmd.Env = dir, append(env, "HOME=/nonexistent", "TMPDIR=/nonexistent", "NODE_NO_WARNINGS=1")
	out, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("%w: %.600s", err, failed.Stderr)
	}
	return out, err
}

// removeOld removes others that are old, or too many.
func (p Programs) removeOld(image string) {
	var others []os.FileInfo
	list, _ := os.ReadDir(p.Cache)
	for _, e := range list {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), imagePrefix) && e.Name() != filepath.Base(image) {
			others = append(others, info)
		}
	}
	slices.SortFunc(others, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for i, info := range others {
		if i >= mostImages-1 || time.Since(info.ModTime()) > imageAge {
			_ = os.RemoveAll(filepath.Join(p.Cache, info.Name())) // or what is left of making one
		}
	}
}
