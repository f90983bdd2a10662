package playscript

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"pwpipe/internal/cell"
)

// settings are those that say what the packages are.
func (p Programs) settings(scratch string) settings {
	return settings{Scratch: scratch, Core: p.Core, Test: p.Test, Packages: []string{p.Core, p.Test}, Cache: p.Cache, Key: keyOf(p.Core) + keyOf(p.Test)}
}

// keyOf tells a package from one that was installed in its place.
func keyOf(dir string) string {
	info, err := os.Stat(filepath.Join(dir, "package.json"))
	if err != nil {
		return dir
	}
	return fmt.Sprintf("%s %d %d;", dir, info.Size(), info.ModTime().UnixNano())
}

// readable is what the process may read.
func (p Programs) readable() []string {
	list := []string{p.Core, p.Test}
	if _, err := os.Stat(p.Cache); err == nil {
		list = append(list, p.Cache)
	}
	return list
}

// buildTime bounds the run that writes the cache.
const buildTime = time.Minute

// Compile writes the file of the compiled packages where it is missing or of
// others, in a run of Node that has seen no script: what stands there runs in all
// processes. V8 takes it with the same flags only, so there is one for each limit of
// memory. Without the file they start slower.
func (p Programs) Compile(ctx context.Context) error {
	if p.compiled() {
		return nil
	}
	dir, err := os.MkdirTemp(p.Temp, "compile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o := p.settings(dir)
	o.Build, o.Cwd, o.Tmp = true, dir, dir
	entry, err := writeEntry(dir, o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Node, append(cell.Flags(p.Memory), entry)...)
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "TMPDIR=" + dir}
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the packages of scripts: %w: %.300s", err, said)
	}
	return nil
}

// compiled reports whether the file is there, and of these packages.
func (p Programs) compiled() bool {
	f, err := os.Open(p.Cache)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, _ := f.Read(head)
	return containsKey(head[:n], keyOf(p.Core)+keyOf(p.Test)+"\n")
}

func containsKey(head []byte, key string) bool {
	line, _, ok := strings.Cut(string(head), "\n")
	return ok && strings.HasSuffix(line+"\n", key)
}
