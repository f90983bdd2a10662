package scripthost

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	maxOutput  = 1 << 20 // bytes of the console of a run
	maxWritten = 20      // files of a run that are reported
	lineCost   = 64      // what a line of the console counts beside its text: empty lines take memory, too
)

// queue has one script run at a time.
type queue struct {
	turn    chan struct{} // holds a token while a script runs
	ready   chan struct{} // closed when the process takes scripts
	stopped atomic.Bool   // a script was stopped, and may still be at work on something
	running atomic.Pointer[run]
}

// enter waits for a script's turn, and for the process. It returns an error if that takes
// longer than the script has.
func (q *queue) enter(ctx context.Context, gone <-chan struct{}) (leave func(), _ error) {
	select {
	case q.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-q.ready:
	case <-gone:
	case <-ctx.Done():
		<-q.turn
		return nil, ctx.Err()
	}
	return func() { <-q.turn }, nil
}

type run struct {
	id  int64
	ctx context.Context

	mu      sync.Mutex
	console []Line
	bytes   int
	written []string // files, the newest last
}

func (x *run) say(line Line) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.bytes <= 2*maxOutput {
		x.bytes += lineCost + len(line.Level) + len(line.Text)
		x.console = append(x.console, line)
	}
}

func (x *run) lines() []Line {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.console)
}

func (x *run) wrote(path string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := slices.DeleteFunc(x.written, func(p string) bool { return p == path })
	x.written = append(list[max(0, len(list)-maxWritten+1):], path)
}

func (x *run) files() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.written)
}

// noteWritten notes the file that the script that runs has written.
func (r *Runtime) noteWritten(c fileCall) {
	path := c.Path
	switch c.Op {
	case "write", "overwrite", "append", "create":
	case "rename":
		path = c.To
	default:
		return
	}
	folder, name, err := r.host.within(path)
	if err != nil {
		return
	}
	defer folder.Close()
	if x := r.queue.running.Load(); x != nil {
		x.wrote(filepath.Join(folder.Name(), name))
	}
}
