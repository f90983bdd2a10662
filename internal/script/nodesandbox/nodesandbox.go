// Package nodesandbox runs a Node process whose code may be attacker-controlled, in a
// sandbox that bounds its memory, files and system calls. The process gets the
// descriptors that it is given, one folder of its own, and nothing else. It ends when
// we end, however that happens.
package nodesandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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

// wait waits for the end.
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
func (c *Cell) Kill() { c.signal(os.Kill) }

// Interrupt sends SIGINT, which can make Node end a script.
func (c *Cell) Interrupt() { c.signal(os.Interrupt) }

func (c *Cell) signal(s os.Signal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		_ = c.cmd.Process.Signal(s)
	}
}

// writer hides the other methods of an io.Writer: exec would pass a file itself to the
// process.
type writer struct{ io.Writer }

// environment is the process's whole environment.
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

// Flags are Node's flags: its heap may take all of the cell's memory, and native code
// is not loaded.
func Flags(memory int64) []string {
	return []string{"--no-addons", fmt.Sprintf("--max-old-space-size=%d", memory>>20)}
}

func (c *Cell) args() []string { return append(Flags(c.o.Memory), c.o.Args...) }
