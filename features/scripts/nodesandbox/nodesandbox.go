// Package nodesandbox runs a Node process whose code may be attacker-controlled, in a
// sandbox that bounds its memory, files and system calls. The process gets the
// descriptors that it is given, one folder of its own, and nothing else. It ends when
// we end, however that happens.
package nodesandbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// DefaultMemory is the memory of a cell by default.
const DefaultMemory = 512 << 20

// Options are what runs in a cell, and its resources.
type Options struct {
	Node    string           // the program, absolute
	Args    []string         // of Node: flags, the entry script
	Read    []string         // folders and files that it may read: the entry, packages
	Scratch string           // the one folder that it may read and write; its working folder, HOME and TMPDIR
	Memory  int64            // bytes that it may hold in all, 0 for [DefaultMemory]
	Group   *Group           // the group that bounds its memory; nil for none
	Files   []*os.File       // 3, 4, ... of the process
	Stderr  io.Writer        // its stdout and stderr, without a bound; nil for nothing
	Over    func(held int64) // called once when Memory was exceeded and the cell killed; may be nil
}

// Cell is a running or ended process.
type Cell struct {
	o    Options
	cmd  *exec.Cmd
	done chan struct{}

	mu    sync.Mutex // guards the process id: after the wait it may belong to another process
	ended bool
	over  error // the bound for which it was killed
	err   error
}

// lastWords is how long writing a cell's output may take after its end.
const lastWords = 500 * time.Millisecond

// Start starts a process in a cell.
func Start(o Options) (*Cell, error) {
	if !filepath.IsAbs(o.Node) || !filepath.IsAbs(o.Scratch) {
		return nil, errors.New("cell: Node and Scratch must be absolute paths")
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	c := &Cell{o: o, done: make(chan struct{})}
	if err := c.start(); err != nil {
		return nil, err
	}
	go c.wait()
	go c.watch()
	return c, nil
}

func (c *Cell) wait() {
	err := c.cmd.Wait()
	c.mu.Lock()
	c.ended, c.err = true, cmp.Or(c.over, err)
	c.mu.Unlock()
	if c.over == nil && c.aborted() {
		c.tellOver(c.most())
	}
	close(c.done)
}

// Wait waits for the end and answers its reason: nil, the exceeded bound, or the error
// of [exec.Cmd.Wait].
func (c *Cell) Wait() error {
	<-c.done
	return c.err
}

// Done is closed when the process has ended.
func (c *Cell) Done() <-chan struct{} { return c.done }

// PID is the process id in our view; in its cell it may have another.
func (c *Cell) PID() int { return c.cmd.Process.Pid }

// Kill ends it at once, with all of its threads. It has no child processes.
func (c *Cell) Kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		_ = c.cmd.Process.Kill()
	}
}

// writer hides the other methods of an io.Writer: exec would pass a file itself to the
// process.
type writer struct{ io.Writer }

func environment(o Options) []string {
	return append(inherited(), "HOME="+o.Scratch, "TMPDIR="+o.Scratch, "TEMP="+o.Scratch, "TMP="+o.Scratch)
}

// inherited is the little of our environment about loading programs and the time zone.
func inherited() (env []string) {
	for _, name := range []string{"LD_LIBRARY_PATH", "TZ"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// args are Node's arguments. Its heap may take all of the cell's memory, and native code
// is not loaded.
func (c *Cell) args() []string {
	return append([]string{"--no-addons", fmt.Sprintf("--max-old-space-size=%d", c.o.Memory>>20)}, c.o.Args...)
}

// askTime bounds Node's answer about itself.
const askTime = 10 * time.Second

// permissionFlags are the flags of Node's permission model, which limits its own API.
// They are for systems without a wall for files. Node 18 has none.
func permissionFlags(o Options) []string {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, o.Node, "--version").Output()
	if err != nil {
		return nil
	}
	name := permissionFlag(strings.TrimSpace(string(out)))
	if name == "" {
		return nil
	}
	flags := []string{name, "--allow-worker", "--allow-fs-write=" + o.Scratch, "--allow-fs-read=" + o.Scratch}
	for _, path := range o.Read {
		flags = append(flags, "--allow-fs-read="+path)
	}
	return flags
}

// permissionFlag is a version's name for it, "" if it has none.
func permissionFlag(version string) string {
	var major, minor int
	_, err := fmt.Sscanf(version, "v%d.%d", &major, &minor)
	switch {
	case err != nil || major < 20:
		return ""
	case major > 23, major == 23 && minor >= 5, major == 22 && minor >= 13:
		return "--permission"
	}
	return "--experimental-permission"
}

// RemoveScratch removes a scratch folder once its cell has ended. It keeps no folder
// open and uses no long path, because a hostile process can make folders deeper than
// [os.RemoveAll] has descriptors for.
func RemoveScratch(dir string) error {
	mark := rand.Text() // no name of its own
	for n := 0; ; {
		folders, err := removeFiles(dir)
		if err != nil || len(folders) == 0 {
			if rerr := os.Remove(dir); !errors.Is(rerr, os.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
			return err
		}
		for _, folder := range folders {
			inner, err := removeFiles(folder)
			for _, f := range inner { // one level up, where its turn will come
				err = errors.Join(err, os.Rename(f, filepath.Join(dir, mark+strconv.Itoa(n))))
				n++
			}
			if err = errors.Join(err, os.Remove(folder)); err != nil {
				return err
			}
		}
	}
}

// removeFiles removes a folder's contents except its folders, which it lists.
func removeFiles(dir string) (folders []string, err error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			folders = append(folders, path)
			continue
		}
		err = errors.Join(err, os.Remove(path))
	}
	return folders, err
}

// Wall is one of the walls of a cell.
type Wall struct {
	Name   string
	Stands bool
	Why    string // why it is missing, "" if it stands
}

// permissionModel is Node's own: it refuses files outside of its folders, and processes. It
// does not hold native code.
var permissionModel = Wall{Name: "permission model", Stands: true}
