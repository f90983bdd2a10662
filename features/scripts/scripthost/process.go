package scripthost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"pwpipe/features/scripts/nodesandbox"
	"pwpipe/internal/machine/rawio"
)

// process is the Node process of the scripts, with its pipes.
type process struct {
	programs Programs
	cell     *nodesandbox.Cell
	scratch  string
	stop     *os.File   // interrupts scripts
	pipes    []*os.File // our ends

	ctx        context.Context // ends with the process; its cause is why the process was ended
	end        context.CancelCauseFunc
	gone       chan struct{} // closed when the process has ended and no call is answered any more
	overMemory atomic.Int64  // bytes that it held when it was ended for that, otherwise 0
	stderr     stderr
}

// kill ends the process for a reason.
func (p *process) kill(why error) {
	p.end(why)
	if p.cell != nil {
		p.cell.Kill()
	}
}

// isClosed reports whether a channel that carries nothing is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// lost is the error of a script whose process has ended.
func (p *process) lost() error {
	why := context.Cause(p.ctx)
	held, limit, group := p.overMemory.Load(), p.programs.Memory, p.programs.Together
	switch {
	case held > 0 && held <= limit && group != nil:
		return fmt.Errorf("%w: %d MiB, and more than %d MiB with the scripts of other sessions; %w",
			ErrMemory, held>>20, group.Memory>>20, ErrLost)
	case held > 0:
		return fmt.Errorf("%w: %d MiB, and the limit is %d; %w", ErrMemory, held>>20, limit>>20, ErrLost)
	case why != nil && !errors.Is(why, errEnded):
		return fmt.Errorf("%w; %w", why, ErrLost)
	}
	switch why := p.stderr.why(p.cell.Wait()); {
	case strings.Contains(why, "heap out of memory"): // V8 noticed first
		return fmt.Errorf("%w: the limit is %d MiB; %w", ErrMemory, limit>>20, ErrLost)
	case why != "":
		return fmt.Errorf("%w: %s", ErrLost, why)
	}
	return ErrLost
}

// interrupt ends what the process is at work on, if it is a run's. 0 stands for all runs
// that were stopped.
func (p *process) interrupt(run int64) { _, _ = fmt.Fprintf(p.stop, "%16d\n", run) }

// start starts the process. Its descriptors: 3 and 4 are DevTools messages in and out,
// 5 and 6 calls, 7 and 8 calls for which it blocks, 9 interrupts a script.
func (r *Runtime) start() (err error) {
	p := &r.process
	if p.scratch, err = os.MkdirTemp(p.programs.Temp, "scripts-"); err != nil {
		return err
	}
	if p.scratch, err = filepath.EvalSymlinks(p.scratch); err != nil {
		return err
	}
	core, test := p.programs.Core, p.programs.Test
	program, file, err := writeEntry(p.scratch, map[string]any{"scratch": p.scratch, "core": core, "test": test,
		"packages": []string{core, test}, "cwd": r.host.home(), "tmp": r.host.temp(), "downloads": downloads,
		"engines": p.programs.Engine, "webm": r.host.Film != nil}) // without WebM the process writes AVI
	if err != nil {
		return err
	}
	var inherited []*os.File
	pipe := func(toProcess bool) *os.File {
		in, out, perr := os.Pipe()
		if perr != nil {
			err = errors.Join(err, perr)
			return nil
		}
		if toProcess {
			in, out = out, in
		}
		p.pipes, inherited = append(p.pipes, in), append(inherited, out)
		return in
	}
	own := func(toProcess bool) io.ReadWriter { return rawio.Own(pipe(toProcess)) }
	r.line.out = own(true)
	devtools := own(false)
	r.calls.control.w = own(true)
	calls := own(false)
	r.calls.now.w = own(true)
	nowCalls := own(false)
	p.stop = pipe(true)
	if err == nil {
		p.cell, err = nodesandbox.Start(nodesandbox.Options{Node: p.programs.Node, Args: []string{program, file},
			Read: []string{core, test}, Scratch: p.scratch, Memory: p.programs.Memory, Group: p.programs.Together,
			Files: inherited, Stderr: &p.stderr, Over: p.overMemory.Store})
	}
	closeAll(inherited)
	if err != nil {
		closeAll(p.pipes)
		_ = os.RemoveAll(p.scratch)
		return err
	}
	var reading sync.WaitGroup
	r.serve(&reading, func() error { return r.line.read(devtools) })
	r.serve(&reading, func() error { return r.readCalls(calls, &r.calls.control, false) })
	r.serve(&reading, func() error { return r.readCalls(nowCalls, &r.calls.now, true) })
	go r.cleanUp(&reading)
	return nil
}

// serve reads one of the pipes until it ends. What breaks the rules ends the
// process.
func (r *Runtime) serve(reading *sync.WaitGroup, read func() error) {
	reading.Go(func() {
		if err := read(); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
			r.process.kill(err)
		}
	})
}

// cleanUp ends all that served the process, once it has ended.
func (r *Runtime) cleanUp(reading *sync.WaitGroup) {
	p := &r.process
	<-p.cell.Done()
	p.end(errEnded)
	r.line.leave()
	r.tunnels.close()
	r.films.finish()
	closeAll(p.pipes)
	reading.Wait()
	r.calls.close()
	close(p.gone)
	_ = nodesandbox.RemoveScratch(p.scratch)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// stderr keeps the beginning of what the process writes to stderr. Node writes nothing
// there until it ends by itself.
type stderr struct {
	mu   sync.Mutex
	text []byte
}

// maxStderr is how much of it is kept, in bytes.
const maxStderr = 4 << 10

func (w *stderr) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p[:min(len(p), maxStderr-len(w.text))]...)
	return len(p), nil
}

// fatal finds why V8 or Node ends a process.
var fatal = regexp.MustCompile(`(?m)^(?:FATAL ERROR|# Fatal [^:\n]*): (.{1,150})`)

// why is the reason for which a process ended by itself: the limit of its sandbox that it
// passed, or its own error; "" if that is not known.
func (w *stderr) why(ended error) string {
	if ended != nil {
		if bound, ok := strings.CutPrefix(ended.Error(), "cell: "); ok {
			return bound
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if m := fatal.FindSubmatch(w.text); m != nil {
		return string(m[1])
	}
	return ""
}

// Failure is a script that threw.
type Failure struct {
	Name, Msg string
	Line      int // in the script, 0 if not known
}

func (f *Failure) Error() string {
	s := f.Msg
	if f.Name != "" && f.Name != "Error" && !strings.HasPrefix(s, f.Name) {
		s = f.Name + ": " + s
	}
	if f.Line > 0 {
		s += fmt.Sprintf(" (line %d of the script)", f.Line)
	}
	return s
}

func (o outcome) failure() *Failure {
	f := &Failure{Name: o.Name, Msg: o.Message, Line: o.Line}
	if m := pageOnly.FindStringSubmatch(f.Msg); m != nil && f.Name == "ReferenceError" {
		f.Msg += fmt.Sprintf("; the page has it: page.evaluate(() => %s…)", m[1])
	}
	return f
}

// pageOnly finds a name that people take for the script's.
var pageOnly = regexp.MustCompile(
	`^(document|window|location|navigator|localStorage|sessionStorage|history) is not defined$`)
