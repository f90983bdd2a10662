package scripthost

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"pwpipe/internal/machine/rawio"
	"pwpipe/internal/script/nodesandbox"
)

// start starts the process. Its descriptors: 3 and 4 are DevTools messages in
// and out, 5 and 6 calls, 7 and 8 calls that it waits for, 9 stops a script.
func (r *Runtime) start() (err error) {
	if r.scratch, err = os.MkdirTemp(r.programs.Temp, "scripts-"); err != nil {
		return err
	}
	if r.scratch, err = filepath.EvalSymlinks(r.scratch); err != nil {
		return err
	}
	core, test := r.programs.Core, r.programs.Test
	program, file, err := writeEntry(r.scratch, settings{Scratch: r.scratch, Core: core, Test: test, Packages: []string{core, test},
		Cwd: r.host.home(), Tmp: r.host.temp(), Downloads: downloads, Engines: r.programs.Engine,
		WebM: r.host.Film != nil})
	if err != nil {
		return err
	}
	var theirs []*os.File
	pipe := func(toThem bool) *os.File {
		in, out, perr := os.Pipe()
		if perr != nil {
			err = errors.Join(err, perr)
			return nil
		}
		if toThem {
			in, out = out, in
		}
		r.ours, theirs = append(r.ours, in), append(theirs, out)
		return in
	}
	own := func(toThem bool) io.ReadWriter { return rawio.Own(pipe(toThem)) }
	r.line.out = own(true)
	devtools := own(false)
	r.control.w = own(true)
	calls := own(false)
	r.now.w = own(true)
	nowCalls := own(false)
	r.stop = pipe(true)
	if err == nil {
		r.cell, err = nodesandbox.Start(nodesandbox.Options{Node: r.programs.Node, Args: []string{program, file}, Read: []string{core, test},
			Scratch: r.scratch, Memory: r.programs.Memory, Group: r.programs.Together, Files: theirs, Stderr: &r.said, Over: r.over.Store})
	}
	closeAll(theirs)
	if err != nil {
		closeAll(r.ours)
		_ = os.RemoveAll(r.scratch)
		return err
	}
	var reading sync.WaitGroup
	r.serve(&reading, func() error { return r.line.read(devtools) })
	r.serve(&reading, func() error { return r.readCalls(calls, &r.control, false) })
	r.serve(&reading, func() error { return r.readCalls(nowCalls, &r.now, true) })
	go r.bury(&reading)
	return nil
}

// serve reads one of the pipes until it ends. What breaks the rules ends the
// process.
func (r *Runtime) serve(reading *sync.WaitGroup, read func() error) {
	reading.Go(func() {
		if err := read(); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
			r.kill(err)
		}
	})
}

// bury sees to what the process leaves behind.
func (r *Runtime) bury(reading *sync.WaitGroup) {
	<-r.cell.Done()
	r.end()
	r.line.leave()
	r.tunnels.close()
	r.films.finish()
	closeAll(r.ours)
	reading.Wait()
	r.mu.Lock()
	r.waiting = nil
	r.mu.Unlock()
	close(r.gone)
	_ = nodesandbox.RemoveScratch(r.scratch)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// number is a call's. None can be told beforehand: who writes on the pipe what is
// no answer of the process's own code can't answer the next call.
func number() int64 { return rand.Int64N(1 << 53) }

// call asks the process, and waits for its answer.
func (r *Runtime) call(ctx context.Context, name string, head any, raw []byte) (frame, error) {
	answer := make(chan frame, 1)
	r.mu.Lock()
	if r.waiting == nil {
		r.mu.Unlock()
		return frame{}, r.lost()
	}
	id := number()
	r.waiting[id] = answer
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.waiting, id)
		r.mu.Unlock()
	}()
	if err := r.control.write(called{name, id, head}, raw); err != nil {
		<-r.gone
		return frame{}, r.lost()
	}
	select {
	case f := <-answer:
		if f.Error != nil {
			return f, errors.New(*f.Error)
		}
		return f, nil
	case <-ctx.Done():
		return frame{}, ctx.Err()
	case <-r.gone:
		return frame{}, r.lost()
	}
}
